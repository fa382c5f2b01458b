import { renderToReadableStream, renderToString } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";

/**
 * Renders a page in one go, as text. React's streams encode it in pieces, and the router's component that streams the
 * loader data suspends once for each; the server caches and compresses a page as a whole, so both are work for nothing.
 */
export async function renderDocument(context: EntryContext, url: string, nonce: string): Promise<string> {
  const { serverHandoffStream, ...withoutStream } = context;
  const html = renderToString(<ServerRouter context={withoutStream} url={url} nonce={nonce} />);
  if (html.includes(SUSPENDED)) return renderSuspending(context, url, nonce);
  const end = html.lastIndexOf("</body>");
  if (!serverHandoffStream || end === -1) return html;
  const data = await new Response(serverHandoffStream).text();
  return html.slice(0, end) + loaderDataScript(data, nonce) + html.slice(end);
}

/** What `renderToString` leaves of a boundary that suspended or failed. */
const SUSPENDED = "<!--$!-->";

/** Waits for what suspends, such as the first import of a lazy component. Throws the first error. */
async function renderSuspending(context: EntryContext, url: string, nonce: string): Promise<string> {
  const failures: unknown[] = [];
  const stream = await renderToReadableStream(
    <ServerRouter context={{ ...context, renderMeta: {} }} url={url} nonce={nonce} />,
    {
      nonce,
      onError: (error) => {
        failures.push(error);
      },
    },
  );
  await stream.allReady;
  if (failures.length > 0) throw failures[0];
  return new Response(stream).text();
}

/** The script by which `HydratedRouter` gets the data of the loaders, as `ServerRouter` writes it. */
function loaderDataScript(data: string, nonce: string): string {
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  const stream = "window.__reactRouterContext.streamController";
  return `<script nonce="${nonce}">${stream}.enqueue(${text});${stream}.close();</script>`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
