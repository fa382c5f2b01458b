/** A database with products, and the search as one process of the store has it. */
import type pg from "pg";
import type { CatalogueQuery } from "../../../api/catalogue-calls.ts";
import { searchCatalogue } from "../../../shop/catalogue/search.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { freshDatabase } from "../../harness/database.ts";

export type FilledCatalogue = Awaited<ReturnType<typeof openFilled>>;

/** Fills a separate database. `drop` removes it. */
export async function openFilled(fill: (store: Store, connection: pg.PoolConfig) => Promise<unknown>) {
  const { connection, pool, drop } = await freshDatabase();
  const store = { pool } as unknown as Store & { pool: pg.Pool };
  await fill(store, connection);

  /** The results of a search, at most a hundred; expects that it is not refused. */
  async function find(query: Partial<CatalogueQuery>) {
    const none = { q: "", category: [], power: [], voltage: [], price: [], limit: 100 };
    const found = await searchCatalogue(store, { ...none, ...query });
    if (isRefusal(found)) throw new Error(found.detail);
    return found;
  }
  return { connection, pool, store, find, drop };
}
