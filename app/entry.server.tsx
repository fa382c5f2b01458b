/** Renders the whole page before anything is sent: the server caches and compresses complete pages. */
import type { EntryContext, RouterContextProvider } from "react-router";
import { scriptNonce } from "./data/loader-context.ts";
import { renderDocument } from "./performance/render-document.tsx";

// contexts are compared by identity, so the server must import them from the build
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
  const html = await renderDocument(entryContext, request.url, loadContext.get(scriptNonce));
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(html, { status, headers });
}
