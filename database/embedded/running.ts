import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DATABASE_NAME } from "./cluster.ts";
import { DataFolderProblem, folderHash } from "./folder.ts";
import { socketFolders } from "./lock.ts";
import { PORT } from "./process.ts";
import { type EmbeddedServer, tryConnection } from "./server.ts";

function readPassword(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "postgres.password"), "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== "EACCES") throw error;
    throw new DataFolderProblem(
      `The data folder ${folder} cannot be read: run this command as the user of the store, or set DATA_DIR to another folder.`,
    );
  }
}

/** Nothing is started or changed. */
export async function findRunningServer(dataDir: string): Promise<EmbeddedServer["connection"] | null> {
  const folder = resolve(dataDir);
  const password = readPassword(folder);
  if (password === undefined) return null;
  const fallback = join("/var/lib", `stator-${folderHash(folder)}`, "run");
  for (const sockets of [...socketFolders(folder), fallback]) {
    const host = join(sockets, "pg");
    const connection = {
      host,
      port: PORT,
      user: DATABASE_NAME,
      password,
      database: DATABASE_NAME,
      ssl: false as const,
    };
    if (!existsSync(host)) continue;
    const error = await tryConnection(connection);
    if (!error) return connection;
    // a socket left by a killed store
    if (error.code !== "ENOENT" && error.code !== "ECONNREFUSED") throw error;
  }
  return null;
}
