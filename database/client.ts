/** The connection to PostgreSQL, shared by everything in one process. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Tables } from "./schema.ts";

export type Database = Kysely<Tables>;

const INT8 = 20;
const NUMERIC = 1700;

// Sums and amounts stay far below 2^53 (the constraints see to it), so they may be plain numbers.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/**
 * A pool of connections. Errors of idle connections (a restarted server) go to `report`; the pool opens
 * a new connection at the next query.
 */
export function openPool(connection: pg.PoolConfig, report: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    ...connection,
    types,
  });
  pool.on("error", report);
  // a connection that is lost while somebody holds it fails their query; the event itself says nothing more
  pool.on("connect", (client) => client.on("error", report));
  return pool;
}

/** Kysely over a pool. */
export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
