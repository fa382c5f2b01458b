/** A navigation that finds no connection waits on the page it starts from, instead of putting an error in its place. */
import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  redirect,
  replace,
} from "react-router";
import { isReachable, whenReconnected } from "./connection.ts";

type Results = Record<string, DataStrategyResult>;

/** The status of a proxy that does not reach the store, and of the store without its database. */
const UNREACHABLE_STATUSES = [502, 503, 504];
/** If the probe succeeds and the same path fails again within this time, the page shows the error. */
const AGAIN_MS = 10_000;
let last = { path: "", at: 0 };

/** Client middleware of the root. */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next();
  if (!Object.values(results).some(isLost)) return results;
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  if (await isReachable()) {
    if (last.path === path && Date.now() - last.at < AGAIN_MS) return results;
  } else await whenReconnected(request.signal);
  last = { path, at: Date.now() };
  // the browser has gone back or forward already, or the page itself is loaded again
  const isHere = path === window.location.pathname + window.location.search;
  throw isHere ? replace(path) : redirect(path);
};

function isLost({ type, result }: DataStrategyResult): boolean {
  if (type !== "error") return false;
  if (isRouteErrorResponse(result)) return UNREACHABLE_STATUSES.includes(result.status);
  // no answer, or one that was cut off; what a loader of the store throws has neither
  return result instanceof TypeError || (result instanceof Error && result.cause !== undefined);
}
