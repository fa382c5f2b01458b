/** Renders a page to the end before anything is sent: the server caches and compresses it as a whole. */
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { scriptNonce } from "./data/loader-context.ts";

// the server sets these contexts, which are found by identity, so it must take them from the build
export { caller, pageConfig, scriptNonce, storefront } from "./data/loader-context.ts";
export { loginPath } from "./data/route-access.ts";
// the Content-Security-Policy allows these by their hash
export { headScript } from "./performance/head-script.ts";
export { default as typefaces } from "./styles/fonts.css?inline";

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const failures: unknown[] = [];
  const nonce = loadContext.get(scriptNonce);
  const stream = await renderToReadableStream(
    <ServerRouter context={entryContext} url={request.url} nonce={nonce} />,
    {
      nonce,
      signal: request.signal,
      onError: (error) => {
        failures.push(error);
      },
    },
  );
  await stream.allReady;
  if (failures.length > 0) throw failures[0];
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(stream, { status, headers });
}
