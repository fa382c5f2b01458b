/**
 * Protected routes: without a session a person is sent to /login and comes back afterwards (specification, section 2).
 * For the dashboard the server decides (app/pages/dashboard/require-session.ts). The page of a tool has the same HTML for
 * everybody, so its guard is what this browser remembers; a purchase needs the session in any case.
 */
import { type MiddlewareFunction, redirect } from "react-router";
import { readUser, clearSession } from "./session.ts";

export const PROTECTED_PATHS = /^\/product\/[^/]+\/?$/i;

// any address will do: what matters is whether a path leaves it
const ORIGIN = "https://here.invalid";

/** `from` if it is a path of this site, else "/". Never another host. */
export function safeRedirect(from: string | null | undefined): string {
  // A browser reads a backslash as a slash and drops tabs and line ends.
  if (!from?.startsWith("/") || /[\\\u0000-\u001f]/.test(from) || !URL.canParse(from, ORIGIN)) return "/";
  // "/.//evil.example" becomes "//evil.example" only when it is read
  const { origin, pathname, search, hash } = new URL(from, ORIGIN);
  return origin === ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Where to sign in so as to return to `origin`, a path with its query. */
export function loginPath(origin: string): string {
  const from = safeRedirect(origin);
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

/**
 * Client middleware of the root, for client navigations; the head script guards full loads. As a middleware of the page
 * itself it would have to load with the page's scripts, before its data could be requested.
 */
export const requireUser: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  if (!PROTECTED_PATHS.test(pathname) || readUser()) return;
  clearSession(); // a token may be left over (specification, section 6)
  throw redirect(loginPath(pathname + search));
};
