/** The secret that the nodes of one database share. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { InvalidEnvironment, readConfig } from "../../server/config.ts";
import { openSecrets } from "../../server/secrets.ts";
import { serve } from "../../server/serve.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";

const DATABASE_URL = "postgres://stator@db.example/stator";
const SECRET = "a secret of the operator, long enough";

let database: FreshDatabase;
const folders: string[] = [];
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  await database.drop();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A data folder, with a secret of its own if one is given. */
async function folderWith(secret?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stator-secret-"));
  folders.push(folder);
  if (secret) await writeFile(join(folder, "secret"), secret);
  return folder;
}

/** Starts a node up to its secret; returns the secret derived for one purpose. */
async function secretOf(variables: Record<string, string>, stored?: string): Promise<string> {
  const config = readConfig({ DATA_DIR: await folderWith(stored), ...variables });
  return (await openSecrets(config, database.pool))("tokens");
}

async function errorOf(variables: Record<string, string>, stored?: string): Promise<string> {
  const error: Error = await secretOf(variables, stored).then(
    () => new Error("started"),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(InvalidEnvironment);
  return error.message;
}

test("nodes that start at once get the same secret from the database", async () => {
  const nodes = await Promise.all(Array.from({ length: 10 }, () => secretOf({ DATABASE_URL })));
  expect(new Set(nodes).size).toBe(1);
});

test("the secret of a data folder becomes that of the database", async () => {
  const first = await secretOf({ DATABASE_URL }, "the secret of an earlier release");
  expect(await secretOf({ DATABASE_URL })).toBe(first);
  expect(await secretOf({ DATABASE_URL }, "the secret of an earlier release")).toBe(first);
  expect(await secretOf({ DATABASE_URL, SECRET: "the secret of an earlier release" })).toBe(first);
  expect(await errorOf({ DATABASE_URL }, "the secret of another store")).toMatch(
    /^DATA_DIR: .*\/secret is not the secret of this database\. Remove the file to use that\.$/,
  );
});

test("SECRET is not stored, and every node needs the same one", async () => {
  const first = await secretOf({ DATABASE_URL, SECRET });
  expect(await secretOf({ DATABASE_URL, SECRET })).toBe(first);
  const { rows } = await database.pool.query("SELECT row_to_json(s)::text AS row FROM shop.shared_secret s");
  expect(rows).toHaveLength(1);
  expect(rows[0].row).toContain('"master":null');
  expect(rows[0].row).not.toContain(SECRET);
  expect(await errorOf({ DATABASE_URL, SECRET: `${SECRET}.` })).toBe(
    "SECRET: the other nodes of this database have another one.",
  );
  expect(await errorOf({ DATABASE_URL })).toBe(
    "SECRET is missing: the other nodes of this database have one.",
  );
});

test("a node that is refused leaves no connection to the database", async () => {
  await secretOf({ DATABASE_URL, SECRET });
  const config = readConfig({ DATA_DIR: await folderWith(), DATABASE_URL, SECRET: `${SECRET}.` });
  await expect(serve(config, database.connection, () => undefined)).rejects.toThrow(InvalidEnvironment);
  // PostgreSQL lists a closed connection for a moment
  const open = () =>
    database.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'stator %'",
    );
  await expect.poll(async () => (await open()).rowCount).toBe(0);
});

test("SECRET does not replace another one of the data folder unnoticed", async () => {
  expect(await errorOf({ SECRET }, "what two-factor secrets are encrypted with")).toMatch(
    /^SECRET: .*\/secret has another one\. Set SECRET to it, or remove the file/,
  );
  expect(await secretOf({ SECRET }, SECRET)).toBe(await secretOf({ SECRET }));
});

test("an embedded store keeps its secret in its folder", async () => {
  const DATA_DIR = await folderWith();
  const first = await secretOf({ DATA_DIR });
  expect(await secretOf({ DATA_DIR })).toBe(first);
  expect((await readFile(join(DATA_DIR, "secret"), "utf8")).length).toBeGreaterThan(40);
  expect((await database.pool.query("SELECT FROM shop.shared_secret")).rowCount).toBe(0);
});

test("a short SECRET is refused", () => {
  expect(() => readConfig({ SECRET: "short" })).toThrow(/^SECRET: /);
});
