import { RouterContextProvider, type ServerBuild } from "react-router";
import type { PageConfig, Storefront } from "../app/context.ts";
import type * as Entry from "../app/entry.server.tsx";
import { NoConnection } from "../database/no-connection.ts";
import { searchCatalogue } from "../shop/catalogue/search.ts";
import type { Listed } from "../shop/page.ts";
import { findProduct, listProducts } from "../shop/products/queries.ts";
import { isRefusal, type Refusal } from "../shop/refusal.ts";
import { listReviews } from "../shop/reviews/queries.ts";
import type { Store } from "../shop/store.ts";
import { noting, type Question } from "./questions.ts";

/** What the loaders of public pages may ask, made from the shop's own reads. */
export function storefrontOf(store: Store): Storefront {
  return orUnavailable({
    listProducts: async (limit) => rowsOf(await listProducts(store, { limit })),
    listReviews: async (limit) => rowsOf(await listReviews(store, { limit })),
    async findProduct(id) {
      const found = await findProduct(store, id);
      return isRefusal(found) ? null : found;
    },
    async searchCatalogue(query) {
      const found = await searchCatalogue(store, query);
      return isRefusal(found) ? null : found;
    },
  });
}

/** A page that cannot be made now is no failure of the page: it says so, and is worth another try (503). */
function orUnavailable(of: Storefront): Storefront {
  const answers = Object.entries(of).map(([name, answer]: [string, (given: never) => Promise<unknown>]) => [
    name,
    (given: never) =>
      answer(given).catch((error: unknown) => {
        throw error instanceof NoConnection ? new Response(null, { status: 503 }) : error;
      }),
  ]);
  return Object.fromEntries(answers) as unknown as Storefront;
}

export interface PageContext {
  context: RouterContextProvider;
  /** what the loaders asked, once they have run */
  questions: Question[];
}

/** Makes the loader context of each page request, for the contexts that the build of the pages knows. */
export function pageContexts(build: ServerBuild, of: Storefront, config: PageConfig): () => PageContext {
  const entry = build.entry.module as unknown as typeof Entry;
  return () => {
    const context = new RouterContextProvider();
    const { storefront, questions } = noting(of);
    context.set(entry.storefront, storefront);
    context.set(entry.pageConfig, config);
    return { context, questions };
  };
}

function rowsOf<Row>(listed: Listed<Row> | Refusal): Row[] {
  if (isRefusal(listed)) throw new Error(listed.detail);
  return listed.rows;
}
