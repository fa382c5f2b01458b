/** Unknown query parameters are left out, so a client cannot fill the cache with copies of one response. */
import type { IncomingMessage } from "node:http";
import type { Call } from "../../api/call.ts";
import { contract } from "../../api/contract.ts";
import { pages } from "../../api/pages.ts";
import { isNavigation, needsSession } from "../http/navigation.ts";

/** Longer URLs are refused (414). The longest of our own, a list of facets, has some hundred characters. */
export const MAX_URL_LENGTH = 4096;
const MAX_KEY_LENGTH = 1024;

const cachedPages = pages.flatMap(({ path, cache }): [string, readonly string[]][] =>
  cache ? [[path.replace(/:(\w+)/, "{$1}"), cache]] : [],
);

const calls = Object.values<Call>(contract)
  .filter(({ method, access }) => method === "GET" && access === "anyone")
  .map(({ path, query }): [string, string[]] => [path, parametersOf(query)]);

const exact = new Map<string, readonly string[]>();
const templates: [pattern: RegExp, parameters: readonly string[]][] = [];
for (const [path, parameters] of [...calls, ...cachedPages, ...cachedPages.map(dataOf)]) {
  if (path.includes("{"))
    templates.push([new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), parameters]);
  else exact.set(path, parameters);
}
// "/product/{id}.data" before "/product/{id}", which matches it too
templates.sort(([one], [other]) => other.source.length - one.source.length);

const callPaths = calls.map(([path]) => path.split("{")[0] as string);

export function isCallPath(path: string): boolean {
  return callPaths.some((start) => path.startsWith(start));
}

/** Null for requests whose response depends on the client. */
export function keyOfRequest(request: IncomingMessage): string | null {
  const key = cacheKey(request.url as string);
  if (key === null) return null;
  if (isCallPath(key) && isNavigation(request)) return null;
  return needsSession(request) ? null : key;
}

/** Null if the URL is not cached. The key is itself a URL of the same response. */
export function cacheKey(url: string): string | null {
  if (url.length > MAX_URL_LENGTH) return null;
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  const parameters = exact.get(path) ?? templates.find(([pattern]) => pattern.test(path))?.[1];
  if (!parameters) return null;
  const query = end < 0 || parameters.length === 0 ? "" : url.slice(end + 1);
  if (!isUnambiguous(query)) return null;
  const key = query === "" ? path : path + queryOf(query, parameters);
  return key.length > MAX_KEY_LENGTH ? null : key;
}

/** Whether URLSearchParams reads it as Fastify does: it drops a "?" in front and replaces what is no UTF-8. */
function isUnambiguous(query: string): boolean {
  if (query.startsWith("?")) return false;
  if (!query.includes("%")) return true;
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

function queryOf(query: string, parameters: readonly string[]): string {
  const given = new URLSearchParams(query);
  const known = new URLSearchParams();
  for (const name of parameters) for (const value of given.getAll(name)) known.append(name, value);
  return known.size > 0 ? `?${known}` : "";
}

function parametersOf(query: Call["query"]): string[] {
  return query && "shape" in query ? Object.keys(query.shape as object) : [];
}

/** React Router requests the data of a page at its path with `.data`, for the routes in `_routes`. */
function dataOf([path, parameters]: [string, readonly string[]]): [string, readonly string[]] {
  return [path === "/" ? "/_root.data" : `${path}.data`, [...parameters, "_routes"]];
}
