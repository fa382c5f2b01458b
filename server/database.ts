/** The PostgreSQL server that this store uses: the owner's own, or the embedded one in the data folder. */
import type pg from "pg";
import { readServerLimits } from "../database/connection-limit.ts";
import { claimDataFolder } from "../database/embedded/folder.ts";
import { MAX_CONNECTIONS } from "../database/embedded/process.ts";
import { startEmbeddedServer } from "../database/embedded/server.ts";
import { connectTo } from "../database/hosts.ts";
import { type Config, InvalidEnvironment } from "./config.ts";
import { named } from "./connections.ts";
import { MIN_CONNECTIONS } from "./pool-sizes.ts";

export interface DatabaseServer {
  connection: pg.PoolConfig;
  /** how many connections the store may have, all its processes together */
  room: number;
  stop: () => Promise<void>;
}

const OLDEST_VERSION = 18;

/** Starts the embedded server, or asks the owner's whether it is there and new enough. */
export async function openDatabaseServer(
  config: Config,
  say: (line: string) => void,
): Promise<DatabaseServer> {
  if (!config.DATABASE_URL) {
    const server = await startEmbeddedServer(config.DATA_DIR, say);
    return { ...server, room: availableConnections(MAX_CONNECTIONS, config) };
  }
  claimDataFolder(config.DATA_DIR); // secrets and mails are kept there in any case
  const connection = connectTo(config.DATABASE_URL);
  const { version, limit } = await readServerLimits({ ...connection, ...named("start") }).catch(
    (error: Error) => {
      throw new InvalidEnvironment(`DATABASE_URL: the database cannot be used: ${error.message}`);
    },
  );
  if (version < OLDEST_VERSION) {
    throw new InvalidEnvironment(
      `DATABASE_URL: PostgreSQL ${OLDEST_VERSION} or newer is needed, this is ${version}.`,
    );
  }
  return { connection, room: availableConnections(limit, config), stop: async () => {} };
}

/** A fifth is left for the doctor, a backup, an operator, and a process that just died. */
function availableConnections(limit: number, { DATABASE_CONNECTIONS: cap = limit }: Config): number {
  return Math.min(cap, Math.floor(limit * 0.8));
}

/** As many processes as are wanted, or as the database has connections for. */
export function processesFor(room: number, wanted: number, say: (line: string) => void): number {
  const most = Math.floor(room / MIN_CONNECTIONS);
  if (most === 0) {
    throw new InvalidEnvironment(
      `DATABASE_URL: the store needs ${MIN_CONNECTIONS} connections and some to spare; this role may have too few.`,
    );
  }
  if (wanted <= most) return wanted;
  say(`WORKERS: the database has connections for ${most} of ${wanted} processes; ${most} are started.`);
  return most;
}
