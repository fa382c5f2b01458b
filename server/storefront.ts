import { RouterContextProvider } from "react-router";
import type { PageConfig, Storefront } from "../app/data/loader-context.ts";
import type { Page } from "../database/pagination.ts";
import { unavailabilityOf } from "../database/unavailability.ts";
import { searchCatalogue } from "../shop/catalogue/search.ts";
import { findProduct, listProducts } from "../shop/products/queries.ts";
import { isRefusal, type Refusal } from "../shop/refusal.ts";
import { listReviews } from "../shop/reviews/queries.ts";
import type { Store } from "../shop/store.ts";
import type { PageDependencies } from "./http/pages.ts";

export function storefrontOf(store: Store): Storefront {
  return orUnavailable({
    listProducts: async (limit) => rowsOf(await listProducts(store, { limit })),
    listReviews: async (limit) => rowsOf(await listReviews(store, { limit })),
    async findProduct(id) {
      const found = await findProduct(store, id);
      return isRefusal(found) ? null : found;
    },
    async searchCatalogue(query, detail) {
      const found = await searchCatalogue(store, query, detail);
      return isRefusal(found) ? null : found;
    },
  });
}

function orUnavailable(storefront: Storefront): Storefront {
  type Read = (...args: never[]) => Promise<unknown>;
  const entries = Object.entries(storefront).map(([name, read]: [string, Read]) => [
    name,
    (...args: never[]) =>
      read(...args).catch((error: unknown) => {
        throw unavailabilityOf(error) ? new Response(null, { status: 503 }) : error;
      }),
  ]);
  return Object.fromEntries(entries) as unknown as Storefront;
}

export function pageContexts(storefront: Storefront, config: PageConfig): PageDependencies["context"] {
  return (entry, nonce, caller, report) => {
    const context = new RouterContextProvider();
    context.set(entry.storefront, storefront);
    context.set(entry.pageConfig, config);
    context.set(entry.scriptNonce, nonce);
    context.set(entry.caller, caller);
    context.set(entry.report, report);
    return context;
  };
}

function rowsOf<Row>(listed: Page<Row> | Refusal): Row[] {
  if (isRefusal(listed)) throw new Error(listed.detail);
  return listed.rows;
}
