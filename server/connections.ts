/** The connections of one process to PostgreSQL: for the shop, for the identity, for a replica, for news. */
import { hostname } from "node:os";
import type pg from "pg";
import type pino from "pino";
import { type ChangeListener, listenForChanges } from "../database/change-listener.ts";
import { openPool } from "../database/client.ts";
import type { Config } from "./config.ts";
import { poolSizesFor } from "./pool-sizes.ts";

export interface Connections {
  shop: pg.Pool;
  /** apart, so that a crowd that registers (slow hashes in transactions) does not keep buyers waiting */
  identity: pg.Pool;
  /** what the public lists read: the replica, where there is one */
  reading: pg.Pool;
  changes: ChangeListener;
  /** all pools by name, for the metrics */
  pools: Record<string, pg.Pool>;
  close: () => Promise<void>;
}

/**
 * Opens the pools; no connection is made before the first query. The `max` of `connection` is how many connections
 * this process may have in all.
 */
export function openConnections(config: Config, connection: pg.PoolConfig, log: pino.Logger): Connections {
  const lost = (error: Error) => log.warn(error, "the database connections");
  const shares = poolSizesFor(connection.max ?? Number.POSITIVE_INFINITY);
  const shop = openPool({ ...connection, max: shares.shop, ...named("shop") }, lost);
  // hashing a crowd's passwords takes its time
  const identity = openPool(
    { ...connection, max: shares.identity, connectionTimeoutMillis: 30_000, ...named("identity") },
    lost,
  );
  const replica = config.DATABASE_READ_URL
    ? openPool({ connectionString: config.DATABASE_READ_URL, max: shares.shop, ...named("reading") }, lost)
    : undefined;
  const changes = listenForChanges({ ...connection, ...named("changes") }, (error) =>
    log.warn(error, "the changes are not heard of"),
  );
  return {
    shop,
    identity,
    reading: replica || shop,
    changes,
    pools: { shop, identity, ...(replica && { reading: replica }) },
    async close() {
      await changes.stop();
      await Promise.all([shop.end(), identity.end(), replica?.end()]);
    },
  };
}

/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63;

/** How connections are named in pg_stat_activity; a name in the URL has precedence. */
export function named(purpose: string): { application_name: string } {
  return { application_name: `stator ${purpose} ${hostname()}`.slice(0, LONGEST_NAME) };
}
