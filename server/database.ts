import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { readServerLimits } from "../database/connection-limit.ts";
import { claimDataFolder } from "../database/embedded/folder.ts";
import { MAX_CONNECTIONS } from "../database/embedded/process.ts";
import { findRunningServer } from "../database/embedded/running.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../database/embedded/server.ts";
import { connectTo } from "../database/hosts.ts";
import { type Config, InvalidEnvironment } from "./config.ts";
import { connectionName } from "./connections.ts";
import { MIN_CONNECTIONS } from "./pool-sizes.ts";

export interface DatabaseServer {
  connection: pg.PoolConfig;
  /** the connections that all processes of the store may have together */
  connectionLimit: number;
  stop: () => Promise<void>;
}

const OLDEST_VERSION = 18;

/** Starts the embedded server, or checks that the configured one is up and new enough. */
export async function openDatabaseServer(
  config: Config,
  print: (line: string) => void,
): Promise<DatabaseServer> {
  if (!config.DATABASE_URL) {
    const server = await startEmbeddedServer(config.DATA_DIR, print, { backupDir: config.BACKUP_DIR });
    return { ...server, connectionLimit: availableConnections(MAX_CONNECTIONS, config) };
  }
  claimDataFolder(config.DATA_DIR); // secrets and emails are kept there in any case
  const connection = connectTo(config.DATABASE_URL);
  const { version, limit } = await readServerLimits({ ...connection, ...connectionName("start") }).catch(
    (error: Error) => {
      throw new InvalidEnvironment(`DATABASE_URL: the database cannot be used: ${error.message}`);
    },
  );
  if (version < OLDEST_VERSION) {
    throw new InvalidEnvironment(
      `DATABASE_URL: PostgreSQL ${OLDEST_VERSION} or newer is needed, this is ${version}.`,
    );
  }
  return { connection, connectionLimit: availableConnections(limit, config), stop: async () => {} };
}

/** Runs `work` on the embedded database of a store; starts it meanwhile where the store does not run. */
export async function withEmbeddedDatabase<Result>(
  config: Config,
  print: (line: string) => void,
  work: (connection: EmbeddedServer["connection"]) => Promise<Result>,
): Promise<Result> {
  const running = await findRunningServer(config.DATA_DIR);
  return running ? work(running) : withStoppedDatabase(config, print, work);
}

/** As `withEmbeddedDatabase`, and nobody else may use the database. */
export async function withStoppedDatabase<Result>(
  config: Config,
  print: (line: string) => void,
  work: (connection: EmbeddedServer["connection"]) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(config.DATA_DIR, "postgres"))) {
    throw new Error(`There is no store in ${config.DATA_DIR}. Set DATA_DIR.`);
  }
  const server = await startEmbeddedServer(config.DATA_DIR, print, { backupDir: config.BACKUP_DIR });
  try {
    return await work(server.connection);
  } finally {
    await server.stop();
  }
}

/** A fifth is reserved for the doctor, backups, an operator, and a process that just died. */
function availableConnections(limit: number, { DATABASE_CONNECTIONS: cap = limit }: Config): number {
  return Math.min(cap, Math.floor(limit * 0.8));
}

/** As many processes as requested, limited by the connections that the database has for them. */
export function processesFor(
  connectionLimit: number,
  requested: number,
  print: (line: string) => void,
): number {
  const possible = Math.floor(connectionLimit / MIN_CONNECTIONS);
  if (possible === 0) {
    throw new InvalidEnvironment(
      `DATABASE_URL: the store needs ${MIN_CONNECTIONS} connections and some to spare; this role may have too few.`,
    );
  }
  if (requested <= possible) return requested;
  print(
    `WORKERS: the database has connections for ${possible} of ${requested} processes; ${possible} are started.`,
  );
  return possible;
}
