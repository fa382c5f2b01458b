/** A backup folder: base backups in `base`, archived WAL in `wal`, the other files of the data folder in `files`. */
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BaseBackup } from "../database/embedded/base-backup.ts";

/** Not copied: the database itself, sockets and logs. */
const NOT_COPIED = /^(run|postgres|postgres\.(lib|log.*|new-.*))$/;

/** Names and modes of files stay; a file that was copied before and has not changed is not copied again. */
export async function copyFiles(
  from: string,
  to: string,
  isCopied = (name: string) => !NOT_COPIED.test(name),
) {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isCopied(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFiles(source, target, () => true);
    else if (entry.isFile()) await copyIfNew(source, target);
  }
}

async function copyIfNew(source: string, target: string): Promise<void> {
  const [sourceStats, targetStats] = await Promise.all([source, target].map(statIfPresent));
  if (!sourceStats || (targetStats?.size === sourceStats.size && targetStats.mtimeMs >= sourceStats.mtimeMs))
    return;
  const temporary = `${target}.new`;
  await copyFile(source, temporary).then(() => rename(temporary, target), ignoreMissing);
}

async function statIfPresent(path: string) {
  return stat(path).catch(ignoreMissing);
}

/** Temporary files and deleted pictures vanish while a store runs. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

export interface StoredBase extends BaseBackup {
  path: string;
}

export function baseName({ endedAt, firstSegment }: BaseBackup): string {
  return `${endedAt.toISOString().replace(/[-:]/g, "")}-${firstSegment}.tar.gz`;
}

const BASE_NAME = /^(\d{8}T[\d.]+Z)-([0-9A-F]{24})\.tar\.gz$/;

export async function listBases(folder: string): Promise<StoredBase[]> {
  const names = (await readdir(join(folder, "base")).catch(ignoreMissing)) ?? [];
  return names.sort().flatMap((name) => {
    const [, time, firstSegment = ""] = BASE_NAME.exec(name) ?? [];
    if (!time) return [];
    const endedAt = new Date(Temporal.Instant.from(time).epochMilliseconds);
    return [{ path: join(folder, "base", name), endedAt, firstSegment }];
  });
}

export async function deleteOld(folder: string, count: number): Promise<void> {
  const bases = await listBases(folder);
  for (const { path } of bases.slice(0, -count)) await rm(path);
  const oldest = bases.slice(-count)[0];
  if (!oldest) return;
  const wal = join(folder, "wal");
  // without the timeline, which the first eight digits are
  const position = oldest.firstSegment.slice(8);
  for (const name of (await readdir(wal).catch(ignoreMissing)) ?? []) {
    if (/^[0-9A-F]{24}\./.test(name) && name.slice(8, 24) < position) await rm(join(wal, name));
  }
}
