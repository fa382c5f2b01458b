/** Protected routes: who has no session goes to /login and comes back afterwards (specification, section 2). */
import { type MiddlewareFunction, redirect } from "react-router";
import { readPerson, signOut } from "./session.ts";

/** The pages that routes.ts keeps for people who are logged in, by name: beside them is the 404 page, for everybody. */
export const PAGES_OF_PEOPLE =
  /^\/(product\/[^/]+|dashboard(\/(profile|orders|review|account|overview|mails|history|books|activity|makeAdmin|addProduct|manage(Order|Product)|(payment|order|editProduct)\/[^/]+))?)\/?$/i;

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

/** Where to sign in so as to return to `origin`, a path with its query. */
export function loginPath(origin: string): string {
  const from = sameSitePath(origin);
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

/**
 * Client middleware of the root, for moves inside the page; the head script guards full loads. As one of the protected
 * pages' own it would have to come with their scripts, before their data could be asked for.
 */
export const requirePerson: MiddlewareFunction = ({ request }) => {
  const { pathname, search } = new URL(request.url);
  if (!PAGES_OF_PEOPLE.test(pathname) || readPerson()) return;
  signOut(); // a token may be left over (specification, section 6)
  throw redirect(loginPath(pathname + search));
};
