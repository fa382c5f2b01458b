/** `npm run backup -- <folder>`, also while the store runs. The folder is BACKUP_DIR if none is named. */
import { mkdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import {
  claimBackupFolder,
  findArchiveFailure,
  findSystemIdentifier,
  refuseMissingBackup,
} from "../database/embedded/archive.ts";
import { lockBackups, takeBaseBackup } from "../database/embedded/base-backup.ts";
import type { EmbeddedServer } from "../database/embedded/server.ts";
import { baseName, copyFiles, deleteOld } from "./backup-folder.ts";
import { print, readFolder, refuseTakenByNpm, runCommand, withDiskName } from "./command.ts";
import { type Config, isInside, readConfig } from "./config.ts";
import { withEmbeddedDatabase } from "./database.ts";

function readOptions() {
  refuseTakenByNpm("keep");
  const { values, positionals } = parseArgs({
    options: { keep: { type: "string" } },
    allowPositionals: true,
  });
  if (values.keep !== undefined && !/^[1-9]\d{0,3}$/.test(values.keep)) {
    throw new Error("--keep must be a whole number from 1 to 9999.");
  }
  return { keep: values.keep && Number(values.keep), folderArgument: readFolder(positionals) };
}

function folderOf(config: Config, folderArgument: string | undefined): string {
  if (config.DATABASE_URL) {
    throw new Error("DATABASE_URL is set: back up that database with PostgreSQL's own programs.");
  }
  const folder = folderArgument ? resolve(folderArgument) : config.BACKUP_DIR;
  if (!folder) throw new Error("Name a folder: npm run backup -- /mnt/backup");
  if (isInside(folder, config.DATA_DIR)) throw new Error("The backup folder must not be in DATA_DIR.");
  return folder;
}

async function backUp(connection: EmbeddedServer["connection"], dataDir: string, folder: string) {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // the base backup reports it
  await client.connect();
  try {
    await lockBackups(client);
    refuseMissingBackup(dataDir, folder);
    claimBackupFolder(folder, await findSystemIdentifier(client));
    await mkdir(join(folder, "base"), { recursive: true, mode: 0o700 });
    // twice, because pictures may be added and deleted meanwhile
    await copyFiles(dataDir, join(folder, "files"));
    const temporary = join(folder, "base", "unfinished");
    const backup = await takeBaseBackup(connection, temporary);
    await copyFiles(dataDir, join(folder, "files"));
    const path = join(folder, "base", baseName(backup));
    await rename(temporary, path);
    print(`Backed up to ${path}`);
    return await findArchiveFailure(client);
  } finally {
    await client.end();
  }
}

await runCommand(1, async () => {
  const { keep, folderArgument } = readOptions();
  const config = readConfig(process.env);
  const folder = folderOf(config, folderArgument);
  const failure = await withEmbeddedDatabase(config, print, (connection) =>
    withDiskName(`the backup folder ${folder}`, () => backUp(connection, config.DATA_DIR, folder)),
  );
  if (keep) await deleteOld(folder, keep);
  if (failure) throw new Error(failure);
});
