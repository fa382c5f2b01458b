/** Creates and upgrades the schema `sandbox` with plain SQL files, in order of their names, forward only. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";

const folder = new URL("../migrations/", import.meta.url);

/** Runs pending migrations in the caller's transaction and lock. Throws if an applied one has changed. */
export async function migrateSandbox(client: pg.ClientBase): Promise<string[]> {
  await client.query("CREATE SCHEMA IF NOT EXISTS sandbox");
  await client.query(
    "CREATE TABLE IF NOT EXISTS sandbox.migration (name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ name: string; digest: string }>(
    "SELECT name, digest FROM sandbox.migration",
  );
  const done = new Map(rows.map((row) => [row.name, row.digest]));
  const ran: string[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, folder), "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    const before = done.get(name);
    if (before === digest) continue;
    if (before) throw new Error(`The sandbox's migration ${name} was changed after it ran on this database.`);
    await client.query(text);
    await client.query("INSERT INTO sandbox.migration (name, digest) VALUES ($1, $2)", [name, digest]);
    ran.push(name);
  }
  return ran;
}
