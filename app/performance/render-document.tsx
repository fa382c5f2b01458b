import { renderToReadableStream, renderToString } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";

/**
 * Renders a page to a string in one pass. React's streams encode it in pieces, and the router's component that
 * streams the loader data suspends once per loader; both are wasted, since the server caches and compresses whole
 * pages.
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

/** What `renderToString` outputs for a boundary that suspended or failed. */
const SUSPENDED = "<!--$!-->";

/** Waits for suspended work, such as the first import of a lazy component. Throws the first error. */
async function renderSuspending(context: EntryContext, url: string, nonce: string): Promise<string> {
  const errors: unknown[] = [];
  const stream = await renderToReadableStream(
    <ServerRouter context={{ ...context, renderMeta: {} }} url={url} nonce={nonce} />,
    {
      nonce,
      onError: (error) => {
        errors.push(error);
      },
    },
  );
  await stream.allReady;
  if (errors.length > 0) throw errors[0];
  return new Response(stream).text();
}

/** The script with the loader data for `HydratedRouter`, as `ServerRouter` writes it. */
function loaderDataScript(data: string, nonce: string): string {
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  const stream = "window.__reactRouterContext.streamController";
  return `<script nonce="${nonce}">${stream}.enqueue(${text});${stream}.close();</script>`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
