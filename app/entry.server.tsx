/** Renders the whole page before anything is sent: the server caches and compresses complete pages. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
} from "react-router";
import { DEFAULT_LOCALE, setCurrentPage } from "./components/locale.ts";
import { renderedHtml, report, scriptNonce } from "./data/loader-context.ts";
import { renderDocument } from "./performance/render-document.tsx";

export { REFERENCE_PLACEHOLDER } from "./components/reference.tsx";
// contexts are compared by identity, so the server must import them from the build
export { caller, pageConfig, renderedHtml, report, scriptNonce, storefront } from "./data/loader-context.ts";
export { loginPath } from "./data/route-access.ts";
// the Content-Security-Policy allows these by their hash
export { headScript } from "./performance/head-script.ts";
export { default as typefaces } from "./styles/fonts.css?inline";

/** Instead of the router, which prints to the console. */
export const handleError: HandleErrorFunction = (error, { context }) =>
  context.get(report)((isRouteErrorResponse(error) && "error" in error && error.error) || error);

const rendering = new AsyncLocalStorage<{ locale: string }>();
setCurrentPage(() => rendering.getStore());

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const html = await rendering.run({ locale: DEFAULT_LOCALE }, () =>
    renderDocument(entryContext, request.url, loadContext.get(scriptNonce)),
  );
  loadContext.set(renderedHtml, html);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(null, { status, headers });
}
