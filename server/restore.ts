/** `npm run restore -- <folder>`: into an empty DATA_DIR, which a failure leaves empty; `--to-time` ends the replay. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { findLastReplayed } from "../database/embedded/archive.ts";
import { ensureWritable, findContent, MARKER, UNFINISHED_RESTORE } from "../database/embedded/folder.ts";
import { type FolderLock, lockDataFolder } from "../database/embedded/lock.ts";
import { startEmbeddedServer } from "../database/embedded/server.ts";
import { stopOrphan } from "../database/embedded/stop-orphan.ts";
import { copyFiles, isCopied, listUsableBases, type StoredBase } from "./backup-folder.ts";
import { print, readFolder, refuseTakenByNpm, runCommand, withDiskName } from "./command.ts";
import { type Config, readConfig } from "./config.ts";

function readOptions() {
  refuseTakenByNpm("to-time");
  const { values, positionals } = parseArgs({
    options: { "to-time": { type: "string" } },
    allowPositionals: true,
  });
  return {
    toTime: values["to-time"] === undefined ? undefined : parseTime(values["to-time"]),
    folderArgument: readFolder(positionals),
  };
}

function parseTime(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new Error("--to-time must be a time with its zone, such as 2026-11-24T21:40:00Z.");
  }
}

async function chooseBase(folder: string, toTime: Temporal.Instant | undefined): Promise<StoredBase> {
  const bases = await listUsableBases(folder);
  if (!bases[0]) throw new Error(`There is no base backup in ${folder}.`);
  const base = bases.findLast(({ endedAt }) => !toTime || endedAt.getTime() <= toTime.epochMilliseconds);
  if (!base) throw new Error(`The oldest base backup is of ${bases[0].endedAt.toISOString()}.`);
  return base;
}

/** The data folder as it was at the base backup. The store refuses it until its marker is there. */
async function unpack(base: StoredBase, folder: string, dataDir: string): Promise<void> {
  await copyFiles(join(folder, "files"), dataDir, (name) => name !== MARKER);
  const cluster = join(dataDir, "postgres");
  mkdirSync(cluster, { mode: 0o700 });
  // through a pipe, so that it ends with this process: the next restore removes what it has unpacked
  const tar = spawn("tar", ["-xzof", "-", "-C", cluster], { stdio: ["pipe", "ignore", "pipe"] });
  const [stderr, [status]] = await Promise.all([
    text(tar.stderr),
    once(tar, "close"),
    pipeline(createReadStream(base.path), tar.stdin).catch(ignoreUnread),
  ]).catch((error: Error) => [error.message, [undefined]] as const);
  if (status === 0) return;
  const lines = stderr.trim().split("\n");
  const line = lines.find((text) => text.includes("No space left on device")) ?? lines[0];
  throw new Error(`${base.path} cannot be unpacked: ${line}`);
}

/** A program that fails does not read its input; its exit status tells why. */
function ignoreUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** Replays the WAL; returns the time of the last transaction in it, null if there was none. */
async function recover(
  { DATA_DIR, BACKUP_DIR }: Config,
  folder: string,
  toTime: Temporal.Instant | undefined,
  heldLock: FolderLock,
) {
  const hasArchive = existsSync(join(folder, "wal"));
  if (toTime && !hasArchive) {
    throw new Error(`There is no archived WAL in ${folder}: restore the base backup, without --to-time.`);
  }
  // without the file, PostgreSQL replays only the WAL in the base backup
  if (hasArchive) writeFileSync(join(DATA_DIR, "postgres", "recovery.signal"), "");
  copyFileSync(join(folder, "files", MARKER), join(DATA_DIR, MARKER));
  const server = await startEmbeddedServer(DATA_DIR, print, {
    backupDir: BACKUP_DIR,
    heldLock,
    recovery: hasArchive ? { from: folder, to: toTime?.toString({ timeZone: "UTC" }) } : undefined,
  });
  const client = new pg.Client(server.connection);
  try {
    await client.connect();
    const last = await findLastReplayed(client);
    rmSync(join(DATA_DIR, UNFINISHED_RESTORE));
    return last;
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Throws if there is anything that neither this restore nor an interrupted one has made. */
function refuseContent(dataDir: string, folder: string): void {
  const isUnfinished = existsSync(join(dataDir, UNFINISHED_RESTORE));
  const own = isUnfinished
    ? [...readdirSync(join(folder, "files")), ...readdirSync(dataDir).filter((name) => !isCopied(name))]
    : [];
  const content = findContent(dataDir, MARKER, "run", ...own);
  if (content)
    throw new Error(`${dataDir} is not empty (${content}): move it away, or set another DATA_DIR.`);
}

async function removeContents(dataDir: string): Promise<void> {
  const cluster = join(dataDir, "postgres");
  if (existsSync(cluster)) {
    // where only root can reach DATA_DIR, it is a link
    const path = realpathSync(cluster);
    await stopOrphan(path);
    rmSync(path, { recursive: true, maxRetries: 3 });
  }
  const next = () => findContent(dataDir, "run", UNFINISHED_RESTORE);
  for (let name = next(); name; name = next()) rmSync(join(dataDir, name), { recursive: true });
  rmSync(join(dataDir, UNFINISHED_RESTORE), { force: true });
}

async function restore(
  config: Config,
  folder: string,
  base: StoredBase,
  toTime: Temporal.Instant | undefined,
): Promise<Date | null | undefined> {
  const { DATA_DIR } = config;
  refuseContent(DATA_DIR, folder);
  const lock = await lockDataFolder(DATA_DIR);
  try {
    // another restore may have ended meanwhile
    refuseContent(DATA_DIR, folder);
    await removeContents(DATA_DIR);
    writeFileSync(join(DATA_DIR, UNFINISHED_RESTORE), "");
    await unpack(base, folder, DATA_DIR);
    return await recover(config, folder, toTime, lock);
  } catch (error) {
    if (existsSync(join(DATA_DIR, UNFINISHED_RESTORE))) await removeContents(DATA_DIR);
    throw error;
  } finally {
    await lock.release();
    if (!existsSync(join(DATA_DIR, MARKER))) rmSync(join(DATA_DIR, "run"), { recursive: true, force: true });
  }
}

await runCommand(1, async () => {
  const { toTime, folderArgument } = readOptions();
  const config = readConfig(process.env);
  if (config.DATABASE_URL) throw new Error("DATABASE_URL is set: only the embedded database is restored.");
  const folder = folderArgument ? resolve(folderArgument) : config.BACKUP_DIR;
  if (!folder) throw new Error("Name a folder: npm run restore -- /mnt/backup");
  const base = await chooseBase(folder, toTime);
  const { DATA_DIR } = config;
  ensureWritable("data", DATA_DIR, 0o700);
  const last = await withDiskName(`DATA_DIR, ${DATA_DIR},`, () => restore(config, folder, base, toTime));
  print(`Restored to ${DATA_DIR}${last ? `, up to the transaction of ${last.toISOString()}` : ""}.`);
  print("Check it with npm run doctor before you start it.");
});
