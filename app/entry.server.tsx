/** Renders a page whole: every answer is kept as bytes, so nothing is gained by sending it in pieces. */
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";

// the server fills these contexts; it takes them from the build, because a context is found by its identity
export { pageConfig, storefront } from "./context.ts";

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  _loadContext: RouterContextProvider,
): Promise<Response> {
  const failures: unknown[] = [];
  const stream = await renderToReadableStream(<ServerRouter context={entryContext} url={request.url} />, {
    signal: request.signal,
    onError: (error) => {
      failures.push(error);
    },
  });
  await stream.allReady;
  if (failures.length > 0) throw failures[0];
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(stream, { status, headers });
}
