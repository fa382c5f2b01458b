/** A database with generated tools, and the search over it, as one process of the store has it. */
import type { CatalogueQuery } from "../../api/catalogue-calls.ts";
import { openDatabase } from "../../database/client.ts";
import { searchCatalogue } from "../../shop/catalogue/search.ts";
import { isRefusal } from "../../shop/refusal.ts";
import type { Store } from "../../shop/store.ts";
import { generate } from "../bench/generate.ts";
import { freshDatabase } from "../harness/database.ts";

export type GeneratedCatalogue = Awaited<ReturnType<typeof openGenerated>>;

/** Fills a database of its own with so many tools. `drop` removes it. */
export async function openGenerated(tools: number) {
  const { connection, pool, drop } = await freshDatabase();
  const store = { database: openDatabase(pool), pool } as Store;
  await generate(connection, tools);

  /** What a search finds, at most a hundred tools of it; expects that it is not refused. */
  async function find(query: Partial<CatalogueQuery>) {
    const none = { q: "", category: [], power: [], voltage: [], price: [], limit: 100 };
    const found = await searchCatalogue(store, { ...none, ...query });
    if (isRefusal(found)) throw new Error(found.detail);
    return found;
  }
  return { connection, pool, find, drop };
}
