import { renderToString } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";

/**
 * Renders a page in one go, as text. React's streams encode it in pieces, and the router's component that streams the
 * loader data suspends once for each; the server caches and compresses a page as a whole, so both are work for nothing.
 */
export async function renderDocument(context: EntryContext, url: string, nonce: string): Promise<string> {
  const { serverHandoffStream, ...withoutStream } = context;
  const html = renderToString(<ServerRouter context={withoutStream} url={url} nonce={nonce} />);
  if (html.includes(SUSPENDED)) throw new Error(`A part of ${url} suspended on the server.`);
  const end = html.lastIndexOf("</body>");
  if (!serverHandoffStream || end === -1) return html;
  const data = await new Response(serverHandoffStream).text();
  return html.slice(0, end) + loaderDataScript(data, nonce) + html.slice(end);
}

/** What React renders in place of a boundary that the browser has to render. */
const SUSPENDED = "<!--$!-->";

/** The script by which `HydratedRouter` gets the data of the loaders, as `ServerRouter` writes it. */
function loaderDataScript(data: string, nonce: string): string {
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  const stream = "window.__reactRouterContext.streamController";
  return `<script nonce="${nonce}">${stream}.enqueue(${text});${stream}.close();</script>`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
