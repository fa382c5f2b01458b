import pg from "pg";
import { isRefusal } from "./refusal.ts";
import type { Store } from "./store.ts";

/** Commits unless `run` throws or returns a refusal. Inside another transaction, `run` becomes part of that one. */
export async function inTransaction<Result>(
  store: Store,
  run: (tx: Store) => Promise<Result>,
): Promise<Result> {
  if (!(store.pool instanceof pg.Pool)) return run(store);
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    const result = await run({ ...store, pool: client });
    if (isRefusal(result)) await client.query("ROLLBACK");
    else await commit(client);
    client.release();
    return result;
  } catch (error) {
    // closing the connection rolls back in any state
    client.release(true);
    throw error;
  }
}

/** PostgreSQL reports the COMMIT of a failed transaction as a successful ROLLBACK. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error("The transaction had failed before it was committed.");
}
