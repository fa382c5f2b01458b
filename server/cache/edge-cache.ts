import type { IncomingMessage } from "node:http";
import { contract } from "../../api/contract.ts";
import { isSharedAndProtected, pathPattern } from "../../api/pages.ts";
import { isCallPath } from "./cache-key.ts";

/** `store` is the key of every response, for a new release. */
export type SurrogateKey = "store" | "products" | "reviews";

/** RFC 9213. A sale is not announced (migration 0004): the stock shown may be this old. */
const CDN_CACHE_CONTROL = "max-age=10, stale-while-revalidate=20, stale-if-error=86400";

/** Browsers would obey `stale-while-revalidate` too, and show a price from before a change. */
const CACHE_CONTROL = "public, max-age=0, s-maxage=10, stale-if-error=86400";

const isProtected = pathPattern(isSharedAndProtected);
const { listReviews } = contract;

/** No headers for pages that redirect to the login without a session. */
export function edgeHeaders({ url = "" }: IncomingMessage): Record<string, string> {
  if (isProtected.test(url)) return {};
  const path = url.split("?")[0] as string;
  const keys = keysOf(path);
  return {
    "cache-control": CACHE_CONTROL,
    "cdn-cache-control": CDN_CACHE_CONTROL,
    // a navigation is redirected to the page
    ...(isCallPath(path) && { vary: "Accept, Sec-Fetch-Mode" }),
    "surrogate-key": keys.join(" "),
    "cache-tag": keys.join(","),
  };
}

function keysOf(path: string): SurrogateKey[] {
  return path === listReviews.path ? ["store", "reviews"] : ["store", "products", "reviews"];
}

/** All keys if the table is unknown. */
export function keysOfChange(table: string | undefined): SurrogateKey[] {
  if (table === "product") return ["products"];
  return table === "review" ? ["reviews"] : ["store"];
}
