/** Brings the database to the newest shape: plain SQL files, in order of their names, forward only. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";

const folder = new URL("./migrations/", import.meta.url);
// any number that nothing else in this database locks
const MIGRATION_LOCK = 7_128_640;

/**
 * Runs every migration that has not run yet, each in a transaction, under a lock that makes other
 * starting processes wait. Throws if one that ran before has since been changed.
 * Returns the names of those that ran now.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    return await runMissing(client);
  } finally {
    // closing the connection gives the lock back, and undoes what was begun, whatever happened
    client.release(true);
  }
}

async function runMissing(client: pg.PoolClient): Promise<string[]> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS public.migration (name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ name: string; digest: string }>(
    "SELECT name, digest FROM public.migration",
  );
  const done = new Map(rows.map((row) => [row.name, row.digest]));
  const ran: string[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, folder), "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    const before = done.get(name);
    if (before === digest) continue;
    if (before) throw new Error(`The migration ${name} was changed after it ran on this database.`);
    await runOne(client, name, text, digest);
    ran.push(name);
  }
  return ran;
}

async function runOne(client: pg.PoolClient, name: string, text: string, digest: string) {
  await client.query("BEGIN");
  try {
    await client.query(text);
    await client.query("INSERT INTO public.migration (name, digest) VALUES ($1, $2)", [name, digest]);
    await client.query("COMMIT");
  } catch (error) {
    throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
