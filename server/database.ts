/** The PostgreSQL server that this store uses: the owner's own, or the embedded one in the data folder. */
import type pg from "pg";
import { startEmbeddedServer } from "../database/embedded.ts";
import type { Config } from "./config.ts";

export interface DatabaseServer {
  connection: pg.PoolConfig;
  stop: () => Promise<void>;
}

/** Starts the embedded server, or names the owner's. */
export async function openDatabaseServer(
  config: Config,
  say: (line: string) => void,
): Promise<DatabaseServer> {
  if (config.DATABASE_URL)
    return { connection: { connectionString: config.DATABASE_URL }, stop: async () => {} };
  return startEmbeddedServer(config.DATA_DIR, say);
}
