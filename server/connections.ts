/** The connections of one process to PostgreSQL: for the shop, for the identity, for a replica, for news. */
import type pg from "pg";
import type pino from "pino";
import { openPool } from "../database/client.ts";
import { type Changes, listenForChanges } from "./changes.ts";
import type { Config } from "./config.ts";

export interface Connections {
  shop: pg.Pool;
  /** apart, so that a crowd that registers (slow hashes in transactions) does not keep buyers waiting */
  identity: pg.Pool;
  /** what the public lists read: the replica, where there is one */
  reading: pg.Pool;
  changes: Changes;
  close: () => Promise<void>;
}

/** of all processes together; PostgreSQL takes 100 unless told otherwise */
const MOST = 80;

/** Opens the pools; no connection is made before the first query. */
export function openConnections(config: Config, connection: pg.PoolConfig, log: pino.Logger): Connections {
  const lost = (error: Error) => log.warn(error, "a database connection was lost");
  const most = Math.max(5, Math.min(20, Math.floor(MOST / config.WORKERS)));
  const shop = openPool({ max: most, ...connection }, lost);
  const identity = openPool(
    { ...connection, max: Math.ceil(most / 4), connectionTimeoutMillis: 60_000 },
    lost,
  );
  const replica = config.DATABASE_READ_URL
    ? openPool({ connectionString: config.DATABASE_READ_URL }, lost)
    : undefined;
  const changes = listenForChanges(connection, (error) => log.warn(error, "the changes are not heard of"));
  return {
    shop,
    identity,
    reading: replica || shop,
    changes,
    async close() {
      await changes.stop();
      await Promise.all([shop.end(), identity.end(), replica?.end()]);
    },
  };
}
