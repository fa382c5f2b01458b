/** The PostgreSQL server that this store uses: the owner's own, or the embedded one in the data folder. */
import pg from "pg";
import { startEmbeddedServer } from "../database/embedded.ts";
import { claimDataFolder } from "../database/embedded-folder.ts";
import { type Config, WrongEnvironment } from "./config.ts";

export interface DatabaseServer {
  connection: pg.PoolConfig;
  stop: () => Promise<void>;
}

const OLDEST_VERSION = 18;

/** Starts the embedded server, or asks the owner's whether it is there and new enough. */
export async function openDatabaseServer(
  config: Config,
  say: (line: string) => void,
): Promise<DatabaseServer> {
  if (!config.DATABASE_URL) return startEmbeddedServer(config.DATA_DIR, say);
  claimDataFolder(config.DATA_DIR); // secrets and mails are kept there in any case
  const connection = { connectionString: config.DATABASE_URL };
  const version = await majorVersion(connection);
  if (version < OLDEST_VERSION) {
    throw new WrongEnvironment(
      `DATABASE_URL: PostgreSQL ${OLDEST_VERSION} or newer is needed, this is ${version}.`,
    );
  }
  return { connection, stop: async () => {} };
}

async function majorVersion(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ number: string }>(
      "SELECT current_setting('server_version_num') AS number",
    );
    return Math.floor(Number(rows[0]?.number) / 10_000);
  } catch (error) {
    throw new WrongEnvironment(`DATABASE_URL: the database cannot be used: ${(error as Error).message}`);
  } finally {
    await client.end();
  }
}
