import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { readServerLimits, type ServerLimits } from "../database/connection-limit.ts";
import { claimDataFolder } from "../database/embedded/folder.ts";
import { MAX_CONNECTIONS } from "../database/embedded/process.ts";
import { findRunningServer } from "../database/embedded/running.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../database/embedded/server.ts";
import { connectTo } from "../database/hosts.ts";
import { isTransactionPooler } from "../database/pooler.ts";
import { findSecretDigest } from "../database/shared-secret.ts";
import { type Config, InvalidEnvironment } from "./config.ts";
import { connectionName } from "./connections.ts";
import { MAX_CONNECTIONS as MAX_CONNECTIONS_OF_PROCESS, MIN_CONNECTIONS } from "./pool-sizes.ts";

export interface DatabaseServer {
  connection: pg.PoolConfig;
  connectionLimit: number;
  stop: () => Promise<void>;
}

const OLDEST_VERSION = 17;

export async function openDatabaseServer(
  config: Config,
  print: (line: string) => void,
): Promise<DatabaseServer> {
  if (!config.DATABASE_URL) {
    const server = await startEmbeddedServer(config.DATA_DIR, print, { backupDir: config.BACKUP_DIR });
    return { ...server, connectionLimit: availableConnections(MAX_CONNECTIONS, config) };
  }
  claimDataFolder(config.DATA_DIR); // secrets and emails are stored there also with DATABASE_URL
  const connection = connectTo(config.DATABASE_URL);
  const stop = async () => {};
  if (!config.DATABASE_DIRECT_URL) {
    const { limit } = await checkServer("DATABASE_URL", connection, "Set DATABASE_DIRECT_URL.");
    await checkReplica(config, connection, print);
    return { connection, connectionLimit: availableConnections(limit, config), stop };
  }
  const { database } = await checkServer("DATABASE_URL", connection);
  const direct = connectTo(config.DATABASE_DIRECT_URL);
  const limits = await checkServer("DATABASE_DIRECT_URL", direct, "Name PostgreSQL itself.");
  if (limits.database !== database) {
    throw new InvalidEnvironment("DATABASE_DIRECT_URL: this is not the database of DATABASE_URL.");
  }
  await checkReplica(config, direct, print);
  // a pooler has a limit of its own, and does not report it
  const { DATABASE_CONNECTIONS = config.WORKERS * MAX_CONNECTIONS_OF_PROCESS } = config;
  return { connection, connectionLimit: DATABASE_CONNECTIONS, stop };
}

/** With `advice`, the connection must have a session of its own. */
async function checkServer(variable: string, to: pg.PoolConfig, advice?: string): Promise<ServerLimits> {
  const connection = { ...to, ...connectionName("start"), connectionTimeoutMillis: 10_000 };
  const read = async () => {
    if (advice === undefined) return readServerLimits(connection);
    if (await isTransactionPooler(connection))
      throw new Error(`it is behind a pooler in transaction mode. ${advice}`);
    // as the pools send it, which PgBouncer may refuse
    return readServerLimits({ ...connection, statement_timeout: 10_000 });
  };
  const limits = await read().catch((error: Error) => {
    throw new InvalidEnvironment(`${variable}: the database cannot be used: ${describe(error)}`);
  });
  if (limits.obstacle) {
    throw new InvalidEnvironment(`${variable}: the database cannot be used: ${limits.obstacle}.`);
  }
  if (limits.version >= OLDEST_VERSION) return limits;
  throw new InvalidEnvironment(
    `${variable}: PostgreSQL ${OLDEST_VERSION} or newer is needed, this is ${limits.version}.`,
  );
}

/** With several hosts the reason of the first one, such as a wrong password, is the cause. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** SQLSTATE classes of a wrong user or password, and of a database that is not there. */
const NEVER_USABLE = /^(28|3D)/;

/** A replica that is down must not keep the store from starting; one that can never be used must. */
async function checkReplica(
  { DATABASE_READ_URL }: Config,
  primary: pg.PoolConfig,
  print: (line: string) => void,
): Promise<void> {
  if (!DATABASE_READ_URL) return;
  const options = { ...connectionName("start"), connectionTimeoutMillis: 10_000 };
  const digest = await findSecretDigest({ ...primary, ...options });
  try {
    const replicaDigest = await findSecretDigest({ connectionString: DATABASE_READ_URL, ...options });
    if (digest === undefined || replicaDigest === digest) return;
    if (replicaDigest)
      throw new InvalidEnvironment("DATABASE_READ_URL: this is the database of another store.");
    print("DATABASE_READ_URL: this database does not have the store yet; public lists fail until it has.");
  } catch (error) {
    if (error instanceof InvalidEnvironment) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    const line = `DATABASE_READ_URL: the database cannot be used: ${message}`;
    if (NEVER_USABLE.test(code)) throw new InvalidEnvironment(line);
    print(`${line}; public lists fail until it can.`);
  }
}

export async function withEmbeddedDatabase<Result>(
  config: Config,
  print: (line: string) => void,
  run: (connection: EmbeddedServer["connection"]) => Promise<Result>,
): Promise<Result> {
  const running = await findRunningServer(config.DATA_DIR);
  return running ? run(running) : withStoppedDatabase(config, print, run);
}

/** As `withEmbeddedDatabase`, and nobody else may use the database. */
export async function withStoppedDatabase<Result>(
  config: Config,
  print: (line: string) => void,
  run: (connection: EmbeddedServer["connection"]) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(config.DATA_DIR, "postgres"))) {
    throw new Error(`There is no store in ${config.DATA_DIR}. Set DATA_DIR.`);
  }
  const server = await startEmbeddedServer(config.DATA_DIR, print, { backupDir: config.BACKUP_DIR });
  try {
    return await run(server.connection);
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
