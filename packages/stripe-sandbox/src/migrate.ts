import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";

type Queryable = Pick<pg.ClientBase, "query">;

const folder = new URL("../migrations/", import.meta.url);

interface Migration {
  name: string;
  text: string;
  digest: string;
}

/** Throws if an applied one has changed. */
export async function pendingSandboxMigrations(client: Queryable): Promise<Migration[]> {
  const done = await appliedMigrations(client);
  const pending: Migration[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, folder), "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    const before = done.get(name);
    if (before === digest) continue;
    if (before) throw new Error(`The sandbox's migration ${name} was changed after it ran on this database.`);
    pending.push({ name, text, digest });
  }
  return pending;
}

/** Runs the pending migrations in the caller's transaction and lock; returns their names. */
export async function migrateSandbox(client: pg.ClientBase): Promise<string[]> {
  await client.query("CREATE SCHEMA IF NOT EXISTS sandbox");
  await client.query(
    "CREATE TABLE IF NOT EXISTS sandbox.migration (name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())",
  );
  const pending = await pendingSandboxMigrations(client);
  for (const { name, text, digest } of pending) {
    await client.query(text);
    await client.query("INSERT INTO sandbox.migration (name, digest) VALUES ($1, $2)", [name, digest]);
  }
  return pending.map(({ name }) => name);
}

async function appliedMigrations(client: Queryable): Promise<Map<string, string>> {
  const { rows: tables } = await client.query("SELECT to_regclass('sandbox.migration') AS name");
  if (!tables[0]?.name) return new Map();
  const { rows } = await client.query<{ name: string; digest: string }>(
    "SELECT name, digest FROM sandbox.migration",
  );
  return new Map(rows.map((row) => [row.name, row.digest]));
}
