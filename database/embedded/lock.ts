import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DataFolderProblem, folderHash } from "./folder.ts";

/** A socket's path is limited to 107 bytes on Linux and 103 on macOS; this leaves space for the longest file name. */
const MAX_SOCKET_FOLDER_BYTES = 80;

const LOCK_TIMEOUT_MS = 3000;

export interface FolderLock {
  /** a private folder (0700) whose path is short enough for sockets */
  sockets: string;
  release(): Promise<void>;
}

/** By a socket: the system releases it however the process ends, and it cannot be mistaken for a live holder. */
export async function lockDataFolder(folder: string): Promise<FolderLock> {
  let failure: unknown;
  for (const sockets of socketFolders(folder)) {
    try {
      makePrivate(sockets);
      const server = await acquireLock(folder, join(sockets, "store"));
      return { sockets, release: () => release(server, folder, sockets) };
    } catch (error) {
      if (error instanceof DataFolderProblem) throw error;
      failure = error; // a file system without sockets: try the next folder
    }
  }
  throw new DataFolderProblem(
    `No socket can be made for the data folder ${folder}: ${(failure as Error).message}.`,
  );
}

async function release(server: Server, folder: string, sockets: string): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
  if (!sockets.startsWith(folder)) rmSync(sockets, { recursive: true, force: true });
}

/** `run` in the data folder, or a temporary folder if its path is too long or has a separator of PostgreSQL. */
export function socketFolders(folder: string): string[] {
  const name = `stator-${process.getuid?.()}-${folderHash(folder)}`;
  const folders = [join(folder, "run"), join(tmpdir(), name), join("/tmp", name)];
  return folders.filter((path) => Buffer.byteLength(path) <= MAX_SOCKET_FOLDER_BYTES && !/[",]/.test(path));
}

function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === process.getuid?.()) return;
  throw new DataFolderProblem(
    `${path} is needed for the store's sockets but belongs to another user: remove it.`,
  );
}

async function acquireLock(folder: string, path: string): Promise<Server> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const server = await listen(path);
    if (server) return server;
    const holder = await pingHolder(path);
    if (holder === undefined) discardDeadSocket(path);
    else if (performance.now() < deadline) await pause(100);
    else
      throw new DataFolderProblem(
        `The data folder ${folder} is in use by a running store (process ${holder}): stop it first, or set DATA_DIR to another folder.`,
      );
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) =>
      socket.on("error", () => socket.destroy()).end(String(process.pid)),
    );
    server.unref();
    server.once("listening", () => resolve(server));
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(path);
  });
}

/** The process id of the live holder ("unknown" if it is too busy to respond), or undefined if it has ended. */
function pingHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let response = "";
    const socket = connect(path);
    socket.setTimeout(500, () => socket.destroy());
    socket.on("data", (bytes) => {
      response += bytes;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" || error.code === "ENOENT" ? undefined : "unknown");
    });
    socket.on("close", () => resolve(response || "unknown"));
  });
}

/** Renamed first, so that two stores starting at the same time do not remove each other's new socket. */
function discardDeadSocket(path: string): void {
  const renamed = `${path}.${process.pid}`;
  try {
    renameSync(path, renamed);
    rmSync(renamed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
