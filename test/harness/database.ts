/** Separate databases for tests: copies of an empty store's, made in milliseconds. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openPool } from "../../database/client.ts";

export interface FreshDatabase {
  /** how a store connects to it */
  connection: pg.PoolConfig;
  pool: pg.Pool;
  /** closes the pool and keeps the database, as the `template` of others; returns its name */
  seal(): Promise<string>;
  /** closes the pool and drops the database, even if others are connected */
  drop(): Promise<void>;
}

/** The number of this database's statements that contain `text` and wait for a lock; jobs may wait for others. */
export async function waitingStatements(pool: pg.Pool, text = ""): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
    [text],
  );
  return rows[0]?.waiting ?? 0;
}

/**
 * A separate database: an empty store's, or without any table if it is not `migrated`, or a copy of `template`.
 * `connections` is the maximum of its pool.
 */
export async function freshDatabase({
  connections = 4,
  migrated = true,
  template,
}: {
  connections?: number;
  migrated?: boolean;
  template?: string | undefined;
} = {}): Promise<FreshDatabase> {
  const database = `test_${randomBytes(6).toString("hex")}`;
  await maintain(
    // copying the files costs a third of copying through the WAL
    `CREATE DATABASE ${database} STRATEGY file_copy TEMPLATE ${template ?? (migrated ? inject("template") : "template1")}`,
  );
  const connection = { ...inject("postgres"), database };
  const errors: Error[] = [];
  let dropping = false;
  const pool = openPool(
    { ...connection, max: connections, application_name: "test" },
    (error) => dropping || errors.push(error),
  );
  return {
    connection,
    pool,
    seal: async () => {
      dropping = true;
      await pool.end();
      return database;
    },
    drop: async () => {
      // remaining connections are terminated below
      dropping = true;
      await pool.end();
      await maintain(`DROP DATABASE ${database} WITH (FORCE)`);
      if (errors[0]) throw errors[0];
    },
  };
}

/** Drops a database that `seal` kept. */
export async function dropDatabase(name: string): Promise<void> {
  await maintain(`DROP DATABASE ${name} WITH (FORCE)`);
}

let maintenance: pg.Pool | undefined;

/** A connection costs more than the copy of a database, so the test files of a process share one. */
async function maintain(statement: string): Promise<void> {
  if (!maintenance) {
    maintenance = new pg.Pool({ ...inject("postgres"), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // the server stops while it is idle
    maintenance.on("error", () => undefined);
  }
  await maintenance.query(statement);
}
