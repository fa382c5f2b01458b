import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { removeTimeLimits } from "./client.ts";
import { isLockTimeout } from "./pg-errors.ts";
import { changeStructure, prepareStructure } from "./structure.ts";
import { prepareUuidV7 } from "./uuid-v7.ts";

const folder = new URL("./migrations/", import.meta.url);
const MIGRATION_LOCK = 7_128_640;
const RETRY_MS = 3000;

interface Migration {
  name: string;
  text: string;
  digest: string;
}

/** Each in its own transaction, except those of a new database. Throws if an applied one has changed. */
export function migrate(pool: pg.Pool): Promise<string[]> {
  return underLock(pool, runPending);
}

/** Runs the migrations, then `seed` under the same lock, so that concurrent starts seed once. */
export function migrateAndSeed<Result>(pool: pg.Pool, seed: () => Promise<Result>): Promise<Result> {
  return underLock(pool, async (client) => {
    await runPending(client);
    return seed();
  });
}

/** Runs the migrations of a package in a transaction and records what they changed. Call it inside `migrateAndSeed`. */
export async function migratePackage(
  pool: pg.Pool,
  run: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await removeTimeLimits(client);
    await changeStructure(client, run);
  } finally {
    // closing the connection rolls back
    client.release(true);
  }
}

async function underLock<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await removeTimeLimits(client);
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const result = await run(client);
    // fails if the lock was lost with its connection, which is idle while `run` uses others
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    return result;
  } finally {
    // closing the connection releases the lock after a failure too, and rolls back an open transaction
    client.release(true);
  }
}

async function runPending(client: pg.PoolClient): Promise<string[]> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS public.migration (name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ name: string; digest: string }>(
    "SELECT name, digest FROM public.migration",
  );
  const applied = new Map(rows.map((row) => [row.name, row.digest]));
  await prepareUuidV7(client);
  await prepareStructure(client, applied.size > 0);
  const pending: Migration[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, folder), "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    const appliedDigest = applied.get(name);
    if (appliedDigest === digest) continue;
    if (appliedDigest) throw new Error(`The migration ${name} was changed after it ran on this database.`);
    pending.push({ name, text, digest });
  }
  // A new database gets all of them in one transaction: the structure is then read twice, not twice for each.
  const transactions = applied.size === 0 ? [pending] : pending.map((migration) => [migration]);
  for (const migrations of transactions) await runInTransaction(client, migrations);
  return pending.map(({ name }) => name);
}

async function runInTransaction(client: pg.PoolClient, migrations: Migration[]): Promise<void> {
  let current = migrations[0]?.name;
  try {
    await changeStructure(client, async () => {
      // requests of running nodes wait behind it, and a backup or a reconciliation may hold a table for minutes
      await client.query("SET LOCAL lock_timeout = '1s'");
      for (const { name, text, digest } of migrations) {
        current = name;
        await client.query(text);
        await client.query("INSERT INTO public.migration (name, digest) VALUES ($1, $2)", [name, digest]);
      }
    });
  } catch (error) {
    if (isLockTimeout(error)) {
      await client.query("ROLLBACK");
      await pause(RETRY_MS);
      return runInTransaction(client, migrations);
    }
    throw new Error(`The migration ${current} failed: ${(error as Error).message}`, { cause: error });
  }
}
