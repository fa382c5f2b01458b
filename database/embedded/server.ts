import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import {
  archiveSettings,
  claimBackupFolder,
  type Recovery,
  readSystemIdentifier,
  recoverySettings,
  refuseMissingBackup,
  rememberBackupFolder,
} from "./archive.ts";
import { DATABASE_NAME, prepareCluster } from "./cluster.ts";
import { claimDataFolder, DataFolderProblem } from "./folder.ts";
import { type ClusterLocation, chooseLocation } from "./location.ts";
import { type FolderLock, lockDataFolder } from "./lock.ts";
import { launch, PORT, type ServerProcess, type Settings } from "./process.ts";
import { stopOrphan } from "./stop-orphan.ts";

export { DataFolderProblem };

export interface EmbeddedServer {
  /** Options for pg.Pool; `host` is the folder of a local socket. They stay the same when PostgreSQL is restarted. */
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  stop(): Promise<void>;
}

type Connection = EmbeddedServer["connection"];

const RESTART_PAUSES_MS = [0, 100, 200, 400, 800, 1500, 3000, 5000];

const STABLE_AFTER_MS = 5000;

export interface EmbeddedOptions {
  settings?: Settings;
  backupDir?: string | undefined;
  recovery?: Recovery | undefined;
  /** of a folder that the caller has claimed and releases */
  heldLock?: FolderLock;
}

/** Throws DataFolderProblem. PostgreSQL also stops if this process is killed; `log` is for operators. */
export async function startEmbeddedServer(
  dataDir: string,
  log: (line: string) => void,
  { settings, backupDir, recovery, heldLock }: EmbeddedOptions = {},
): Promise<EmbeddedServer> {
  const folder = heldLock ? resolve(dataDir) : claimDataFolder(dataDir);
  const lock = heldLock ? { ...heldLock, release: async () => {} } : await lockDataFolder(folder);
  try {
    const location = chooseLocation(folder, lock.sockets, log);
    await stopOrphan(location.cluster);
    if (backupDir) {
      refuseMissingBackup(folder, backupDir);
      claimBackupFolder(backupDir, readSystemIdentifier(location.cluster));
    }
    const password = await prepareCluster(location);
    const connection: Connection = {
      host: location.socket,
      port: PORT,
      user: DATABASE_NAME,
      password,
      database: DATABASE_NAME,
      ssl: false,
    };
    const allSettings = {
      ...settings,
      ...(backupDir && archiveSettings(backupDir, location)),
      ...(recovery && recoverySettings(recovery, location)),
    };
    if (backupDir) rememberBackupFolder(folder, backupDir);
    const stopServer = await keepRunning(() => launch(location, allSettings), location, connection, log);
    const stop = () => stopServer().then(lock.release);
    return { connection, stop: callOnce(stop) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function callOnce(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}

async function keepRunning(
  start: () => ServerProcess,
  location: ClusterLocation,
  connection: Connection,
  log: (line: string) => void,
) {
  const stopping = new AbortController();
  let server = start();
  const failure = await waitUntilReady(server, connection, log);
  if (failure) {
    await server.stop();
    throw new DataFolderProblem(`PostgreSQL does not start on ${location.cluster}: ${failure}`);
  }
  const restarting = restartWhenever(() => server, restart, stopping.signal, log);

  async function restart(): Promise<string | undefined> {
    await stopOrphan(location.cluster); // the keeper may have ended without it
    if (stopping.signal.aborted) return undefined;
    server = start();
    return waitUntilReady(server, connection, log);
  }
  return async () => {
    stopping.abort();
    await server.stop();
    await restarting;
    await server.stop();
    await stopOrphan(location.cluster);
  };
}

async function restartWhenever(
  current: () => ServerProcess,
  restart: () => Promise<string | undefined>,
  stopping: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  let tries = 0;
  for (;;) {
    const startedAt = performance.now();
    const reason = await current().ended;
    if (stopping.aborted) return;
    if (performance.now() - startedAt > STABLE_AFTER_MS) tries = 0;
    log(`PostgreSQL has ended by itself (${reason}); restarting it`);
    let printed = reason;
    for (let failure: string | undefined = reason; failure !== undefined && !stopping.aborted; tries += 1) {
      await pause(RESTART_PAUSES_MS[tries] ?? 5000, undefined, { signal: stopping }).catch(() => undefined);
      failure = await restart().catch((error: Error) => error.message);
      if (failure === undefined || failure === printed || stopping.aborted) continue;
      log(`PostgreSQL does not start (${failure}); trying again`);
      printed = failure;
    }
    if (!stopping.aborted) log("PostgreSQL is back");
  }
}

/** Errors of a connection made too early: no socket yet, or still in recovery. */
const STARTING_CODES = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03"]);

/** Undefined once PostgreSQL accepts connections; else the reason why it failed to start. */
async function waitUntilReady(
  server: ServerProcess,
  connection: Connection,
  log: (line: string) => void,
): Promise<string | undefined> {
  const warning = setTimeout(() => log("PostgreSQL is still recovering"), 10_000);
  try {
    while (server.alive()) {
      const error = await tryConnection(connection);
      if (!error) return undefined;
      if (!STARTING_CODES.has(error.code ?? "") && server.alive()) return error.message;
      await pause(15);
    }
    return await server.ended;
  } finally {
    clearTimeout(warning);
  }
}

export async function tryConnection(
  connection: Connection,
): Promise<(Error & { code?: string }) | undefined> {
  const client = new Client(connection);
  client.on("error", () => undefined); // lost while closing; no query is pending
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
