/** Finds the user of a dashboard request, on the server. */
import { data, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { type Caller, caller } from "../../data/loader-context.ts";
import { loginPath } from "../../data/route-access.ts";
import { readParam } from "../../data/use-list-params.ts";

/** Redirects to the login and back without a session (specification, section 2). */
export const requireSession: MiddlewareFunction<Response> = ({ context, url }) => {
  const path = url.pathname.replace(/^\/[^/]*/, "/dashboard");
  // the router accepts "/DASHBOARD", but sessions are only looked up below "/dashboard"
  if (path !== url.pathname) throw redirect(path + url.search);
  const found = context.get(caller);
  if (found === undefined) throw data(null, { status: 503 });
  if (found === null) throw redirect(loginPath(path + url.search));
};

export function callerIn(context: Readonly<RouterContextProvider>): Caller {
  const found = context.get(caller);
  if (!found) throw new Response(null, { status: 401 });
  return found;
}

/** The query parameters, as `useListParams` reads them in the browser. */
export function queryOf(url: URL) {
  return { get: (name: string) => readParam(url.searchParams, name) };
}

/** The query of a list's call: what is searched, and the page of the list. */
export function listQuery<Search extends object>(
  url: URL,
  readSearch: (params: ReturnType<typeof queryOf>) => Search,
) {
  const params = queryOf(url);
  return { ...readSearch(params), cursor: params.get("cursor") };
}
