/**
 * Protected pages: without a session the user is redirected to /login and returns afterwards (specification, section
 * 2). The server guards the dashboard (app/pages/dashboard/require-session.ts), and the product page by the presence of
 * the session cookie (decision 23). This guard is for client navigations, and relies on what this browser remembers;
 * placing an order needs the session in any case.
 */
import { PROTECTED_PATHS } from "virtual:protected-paths";
import { type MiddlewareFunction, redirect } from "react-router";
import { clearSession, readUser } from "./session.ts";

// any origin works: only whether a path leaves it matters
const ORIGIN = "https://here.invalid";

/** `from` if it is a path of this site, else "/". Never another host. */
export function safeRedirect(from: string | null | undefined): string {
  // browsers read a backslash as a slash and drop tabs and line breaks
  if (!from?.startsWith("/") || /[\\\u0000-\u001f]/.test(from) || !URL.canParse(from, ORIGIN)) return "/";
  // "/.//evil.example" becomes "//evil.example" only after parsing
  const { origin, pathname, search, hash } = new URL(from, ORIGIN);
  return origin === ORIGIN && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** The path of the login page that returns to `origin`, a path with its query. */
export function loginPath(origin: string): string {
  const from = safeRedirect(origin);
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

/**
 * Client middleware of the root, for client navigations; the head script guards full loads. As middleware of the page
 * itself it would have to load with the page's scripts before the data is requested.
 */
export const requireUser: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  if (!PROTECTED_PATHS.test(pathname) || readUser()) return;
  clearSession(); // a token may be left over (specification, section 6)
  throw redirect(loginPath(pathname + search));
};
