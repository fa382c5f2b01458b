/** A navigation without a connection waits on the current page, instead of replacing it with an error. */
import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  redirect,
  replace,
} from "react-router";
import { checkConnection, whenReconnected } from "./connection.ts";

type Results = Record<string, DataStrategyResult>;

/** The status of a proxy that does not reach the store, and of the store without its database. */
const UNREACHABLE_STATUSES = [502, 503, 504];
/** If the probe succeeds and the same path fails again within this time, the page shows the error. */
const RETRY_WINDOW_MS = 10_000;
let last = { path: "", at: 0 };

/** Client middleware of the root. */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  if (!Object.values(results).some(isLost)) return results;
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  if (await checkConnection()) {
    if (last.path === path && Date.now() - last.at < RETRY_WINDOW_MS) return results;
  } else await whenReconnected(request.signal);
  last = { path, at: Date.now() };
  // the browser has already gone back or forward, or the page itself is reloaded
  const isHere = path === window.location.pathname + window.location.search;
  throw isHere ? replace(path) : redirect(path);
};

function isLost({ type, result }: DataStrategyResult): boolean {
  if (type !== "error") return false;
  if (isRouteErrorResponse(result)) return UNREACHABLE_STATUSES.includes(result.status);
  // no response, or a truncated one; an error thrown by a loader has neither
  return result instanceof TypeError || (result instanceof Error && result.cause !== undefined);
}
