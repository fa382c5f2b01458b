import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { NAME } from "./cluster.ts";
import { folderHash } from "./folder.ts";
import { socketFolders } from "./lock.ts";
import { PORT } from "./process.ts";
import type { EmbeddedServer } from "./server.ts";

/** Nothing is started or changed. */
export async function findRunningServer(dataDir: string): Promise<EmbeddedServer["connection"] | null> {
  const folder = resolve(dataDir);
  const passwordFile = join(folder, "postgres.password");
  if (!existsSync(passwordFile)) return null;
  const password = readFileSync(passwordFile, "utf8").trim();
  const elsewhere = join("/var/lib", `stator-${folderHash(folder)}`, "run");
  for (const sockets of [...socketFolders(folder), elsewhere]) {
    const host = join(sockets, "pg");
    const connection = { host, port: PORT, user: NAME, password, database: NAME, ssl: false as const };
    if (existsSync(host) && (await acceptsConnections(connection))) return connection;
  }
  return null;
}

async function acceptsConnections(connection: EmbeddedServer["connection"]): Promise<boolean> {
  const client = new Client(connection);
  client.on("error", () => undefined); // lost while closing; no query is pending
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ECONNREFUSED") return false; // a socket left by a killed store
    throw error;
  }
}
