/** Protected routes: who has no session goes to /login and comes back afterwards (specification, section 2). */
import { type MiddlewareFunction, redirect } from "react-router";
import { readPerson } from "./session.ts";

// any address will do: what matters is whether a path leaves it
const HERE = "https://here.invalid";

/** `from` if it is a path of this site, else "/". Never another host. */
export function sameSitePath(from: string | null | undefined): string {
  // A browser reads a backslash as a slash and drops tabs and line ends.
  if (!from?.startsWith("/") || /[\\\u0000-\u001f]/.test(from) || !URL.canParse(from, HERE)) return "/";
  // "/.//evil.example" becomes "//evil.example" only when it is read
  const { origin, pathname, search, hash } = new URL(from, HERE);
  return origin === HERE && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

const ADMIN_PAGES =
  /^\/dashboard\/(manageOrder|addProduct|manageProduct|makeAdmin|editProduct|overview|mails|history|books|activity)\b/i;

/** Whether a path is one of those that routes.ts puts under the admins' layout. */
export function isForAdmins(path: string): boolean {
  return ADMIN_PAGES.test(path);
}

/** Where to sign in so as to return to `origin`, a path with its query. */
export function loginPath(origin: string): string {
  const from = sameSitePath(origin);
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

/** Client middleware of protected routes, for moves inside the page; the head script guards full loads. */
export const requirePerson: MiddlewareFunction = ({ request }) => {
  if (readPerson()) return;
  const { pathname, search } = new URL(request.url);
  throw redirect(loginPath(pathname + search));
};
