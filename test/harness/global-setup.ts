/**
 * Runs before the first test: starts one PostgreSQL server, with an empty store's database as a template, and builds
 * the pages.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrateSandbox } from "@stator/stripe-sandbox/migrate";
import type pg from "pg";
import type { TestProject } from "vitest/node";
import { openPool } from "../../database/client.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../../database/embedded/server.ts";
import { migrate, migratePackage } from "../../database/migrate.ts";
import { prepareJobs } from "../../server/jobs/tasks.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** the connection to this run's server, as its superuser */
    postgres: EmbeddedServer["connection"];
    /** the template of all fresh databases */
    template: string;
  }
}

const TEMPLATE = "empty_store";

/** Nothing is kept after a run, so nothing is synced to disk; the tests that kill a database have their own. */
const FAST = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };

/** For the stores of several test files at once, some with several nodes. */
const MAX_CONNECTIONS = "400";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Starts what all tests share; the returned function stops it and removes its files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  buildPages();
  const folder = mkdtempSync(join(tmpdir(), "stator-tests-"));
  const server = await startEmbeddedServer(join(folder, "data"), (line) => console.error(line), {
    settings: { ...FAST, max_connections: MAX_CONNECTIONS },
  });
  const takeDown = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.connection);
  } catch (error) {
    await takeDown();
    throw error;
  }
  project.provide("postgres", server.connection);
  project.provide("template", TEMPLATE);
  return takeDown;
}

/** `npm test` has built them already; a partial run may start without a build. */
function buildPages(): void {
  const built = join(root, "build", "server", "index.js");
  if (existsSync(built)) return warnIfOlder(built);
  const builder = join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  const { status } = spawnSync(process.execPath, [builder, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("The pages could not be built.");
}

/** Building after each change would take longer than most runs, which have no pages. */
function warnIfOlder(built: string): void {
  const { mtimeMs } = statSync(built);
  const changed = ["app", "api", "shop"]
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,css}`, { cwd: root }))
    .find((file) => statSync(join(root, file)).mtimeMs > mtimeMs);
  if (changed)
    console.warn(`${changed} is newer than build/, which tests of pages use: npm run build updates it.`);
}

async function makeTemplate(connection: EmbeddedServer["connection"]): Promise<void> {
  const maintenance = openPool(connection, fail);
  await hashPasswordFast(maintenance, connection);
  await maintenance.query(`CREATE DATABASE ${TEMPLATE}`);
  await maintenance.end();
  const pool = openPool({ ...connection, database: TEMPLATE }, fail);
  await migrate(pool);
  await migratePackage(pool, migrateSandbox);
  await prepareJobs(pool);
  await pool.end();
}

/** The 4,096 rounds of the default take each of thousands of connections a few milliseconds. */
async function hashPasswordFast(
  pool: pg.Pool,
  { user, password }: EmbeddedServer["connection"],
): Promise<void> {
  await pool.query(`SET scram_iterations = 1; ALTER ROLE ${user} PASSWORD '${password}'`);
}

function fail(error: Error): never {
  throw error;
}
