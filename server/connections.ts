/** The connections of one process to PostgreSQL: for the shop, for the identity, for a replica, for news. */
import type pg from "pg";
import type pino from "pino";
import { type ChangeListener, listenForChanges } from "../database/change-listener.ts";
import { openPool } from "../database/client.ts";
import type { Config } from "./config.ts";

export interface Connections {
  shop: pg.Pool;
  /** apart, so that a crowd that registers (slow hashes in transactions) does not keep buyers waiting */
  identity: pg.Pool;
  /** what the public lists read: the replica, where there is one */
  reading: pg.Pool;
  changes: ChangeListener;
  close: () => Promise<void>;
}

/** How many connections one process opens at most. */
export interface PoolSizes {
  shop: number;
  identity: number;
  /** to hear of changes */
  news: 1;
}

/** The fewest that a process can work with: the queue keeps two of the shop's for itself. */
export const MIN_CONNECTIONS = 8;
const MOST: PoolSizes = { shop: 20, identity: 5, news: 1 };
const SHOP_FRACTION = 0.8;

/** How one process divides the connections that it may have; with less than `FEWEST` as with so many. */
export function poolSizesFor(room: number): PoolSizes {
  const left = Math.max(room, MIN_CONNECTIONS) - MOST.news;
  const shop = Math.min(MOST.shop, Math.floor(left * SHOP_FRACTION));
  return { shop, identity: Math.min(MOST.identity, left - shop), news: MOST.news };
}

/**
 * Opens the pools; no connection is made before the first query. The `max` of `connection` is how many connections
 * this process may have in all.
 */
export function openConnections(config: Config, connection: pg.PoolConfig, log: pino.Logger): Connections {
  const lost = (error: Error) => log.warn(error, "the database connections");
  const shares = poolSizesFor(connection.max ?? Number.POSITIVE_INFINITY);
  const shop = openPool({ ...connection, max: shares.shop }, lost);
  // hashing a crowd's passwords takes its time
  const identity = openPool({ ...connection, max: shares.identity, connectionTimeoutMillis: 30_000 }, lost);
  const replica = config.DATABASE_READ_URL
    ? openPool({ connectionString: config.DATABASE_READ_URL, max: shares.shop }, lost)
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
