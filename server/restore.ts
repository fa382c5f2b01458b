/** `npm run restore -- <folder>`: into an empty DATA_DIR, which a failure leaves empty; `--to-time` ends the replay. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { findLastReplayed } from "../database/embedded/archive.ts";
import { ensureWritable, findContent, MARKER } from "../database/embedded/folder.ts";
import { startEmbeddedServer } from "../database/embedded/server.ts";
import { copyFiles, listUsableBases, type StoredBase } from "./backup-folder.ts";
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
  rmSync(join(dataDir, MARKER), { force: true });
  await copyFiles(join(folder, "files"), dataDir, (name) => name !== MARKER);
  const cluster = join(dataDir, "postgres");
  mkdirSync(cluster, { mode: 0o700 });
  const { status, stderr, error } = spawnSync("tar", ["-xzof", base.path, "-C", cluster], {
    encoding: "utf8",
  });
  if (status === 0) return;
  const lines = stderr.trim().split("\n");
  const line = lines.find((text) => text.includes("No space left on device")) ?? lines[0];
  throw new Error(`${base.path} cannot be unpacked: ${error?.message ?? line}`);
}

/** Replays the WAL; returns the time of the last transaction in it, null if there was none. */
async function recover(
  { DATA_DIR, BACKUP_DIR }: Config,
  folder: string,
  toTime: Temporal.Instant | undefined,
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
    ...(hasArchive && { recovery: { from: folder, to: toTime?.toString({ timeZone: "UTC" }) } }),
  });
  const client = new pg.Client(server.connection);
  try {
    await client.connect();
    return await findLastReplayed(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

function removeContents(dataDir: string): void {
  const cluster = join(dataDir, "postgres");
  // where only root can reach DATA_DIR, it is a link
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
  for (let name = findContent(dataDir); name; name = findContent(dataDir))
    rmSync(join(dataDir, name), { recursive: true });
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
  const content = findContent(DATA_DIR, MARKER, "run");
  if (content)
    throw new Error(`${DATA_DIR} is not empty (${content}): move it away, or set another DATA_DIR.`);
  try {
    const last = await withDiskName(`DATA_DIR, ${DATA_DIR},`, async () => {
      await unpack(base, folder, DATA_DIR);
      return recover(config, folder, toTime);
    });
    print(`Restored to ${DATA_DIR}${last ? `, up to the transaction of ${last.toISOString()}` : ""}.`);
    print("Check it with npm run doctor before you start it.");
  } catch (error) {
    removeContents(DATA_DIR);
    throw error;
  }
});
