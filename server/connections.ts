import { hostname } from "node:os";
import type pg from "pg";
import type pino from "pino";
import { type ChangeListener, listenForChanges } from "../database/change-listener.ts";
import { openPool } from "../database/client.ts";
import { connectTo } from "../database/hosts.ts";
import type { TraceQuery } from "../database/trace-queries.ts";
import type { Config } from "./config.ts";
import { onceAMinute } from "./log-once.ts";
import { poolSizesFor } from "./pool-sizes.ts";

export interface Connections {
  shop: pg.Pool;
  /** separate, so that many registrations (slow hashes in transactions) do not block buyers */
  identity: pg.Pool;
  /** for public lists: the replica, if there is one */
  reading: pg.Pool;
  /** past the pooler, for what needs a session of its own: migrations, locks */
  direct: pg.Pool;
  changes: ChangeListener;
  pools: Record<string, pg.Pool>;
  close: () => Promise<void>;
}

/** No connection is made before the first query. `max` of `connection` limits those of this process. */
export function openConnections(
  config: Config,
  connection: pg.PoolConfig,
  log: pino.Logger,
  trace?: TraceQuery,
): Connections {
  const isDue = onceAMinute();
  // a database that ends takes all connections with it
  const report = (error: Error) => isDue(error.message) && log.warn(error, "a database connection failed");
  const isPooled = config.DATABASE_DIRECT_URL !== undefined;
  const directOptions = directConnection(config, connection);
  const sizes = poolSizesFor(connection.max ?? Number.POSITIVE_INFINITY, isPooled);
  const open = (purpose: string, options: Parameters<typeof openPool>[0]) =>
    openPool({ ...options, ...connectionName(purpose) }, report, trace);
  const shop = open("shop", { ...connection, isPooled, max: sizes.shop });
  // hashing passwords takes long
  const identityOptions = { max: sizes.identity, connectionTimeoutMillis: 30_000 };
  const identity = open("identity", { ...connection, isPooled, ...identityOptions });
  const { DATABASE_READ_URL: connectionString } = config;
  const replica = connectionString
    ? open("reading", { connectionString, isPooled, max: sizes.shop })
    : undefined;
  const direct = isPooled ? open("direct", { ...directOptions, max: sizes.direct }) : undefined;
  const changes = listenForChanges({ ...directOptions, ...connectionName("changes") }, (error) =>
    log.warn(error, "listening for changes failed"),
  );
  return {
    shop,
    identity,
    reading: replica ?? shop,
    direct: direct ?? shop,
    changes,
    pools: { shop, identity, ...(replica && { reading: replica }), ...(direct && { direct }) },
    async close() {
      await changes.stop();
      await Promise.all([shop.end(), identity.end(), replica?.end(), direct?.end()]);
    },
  };
}

export function directConnection(
  { DATABASE_DIRECT_URL }: Pick<Config, "DATABASE_DIRECT_URL">,
  connection: pg.PoolConfig,
): pg.PoolConfig {
  return DATABASE_DIRECT_URL ? connectTo(DATABASE_DIRECT_URL) : connection;
}

const MAX_NAME_LENGTH = 63;

/** Shown in pg_stat_activity; a name in the URL has precedence. */
export function connectionName(purpose: string): { application_name: string } {
  return { application_name: `stator ${purpose} ${hostname()}`.slice(0, MAX_NAME_LENGTH) };
}
