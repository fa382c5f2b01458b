import type pg from "pg";
import { openDatabase } from "../database/client.ts";
import type { Store } from "./store.ts";

/** Does `work` with a store whose statements are all one transaction: killed at any moment, all of it is there or none. */
export async function inTransaction<Result>(
  store: Store,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(bindTo(client, store));
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // closing the connection rolls back, whatever state it is in
    client.release(true);
    throw error;
  }
}

/** A store whose statements all run on one connection, in the transaction that is open there. */
export function bindTo(client: pg.PoolClient, store: Store): Store {
  const connection = new Proxy(client, {
    get: (target, name) => {
      if (name === "release") return () => undefined;
      if (name === "connect") return async () => connection;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const pool = connection as unknown as pg.Pool;
  return { ...store, pool, database: openDatabase(pool) };
}
