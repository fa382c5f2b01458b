/** A backup folder: base backups in `base`, archived WAL in `wal`, the other files of the data folder in `files`. */
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { BaseBackup } from "../database/embedded/base-backup.ts";

/** Not copied: the database itself, sockets and logs, where the backup is, and what a file system has for itself. */
const NOT_COPIED =
  /^(run|lost\+found|backup-folder|restore-unfinished|postgres|postgres\.(lib|log.*|new-.*))$/;

export function isCopied(name: string): boolean {
  return !NOT_COPIED.test(name);
}

/** Names and modes of files stay; a file that was copied before and has not changed is not copied again. */
export async function copyFiles(from: string, to: string, isChosen = isCopied) {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isChosen(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // the pictures may be on a larger disk, to which a link leads; without that disk the backup is not complete
    const found = entry.isSymbolicLink() ? await stat(source) : entry;
    if (found.isDirectory()) await copyFiles(source, target, () => true);
    else if (found.isFile()) await copyIfNew(source, target);
  }
}

async function copyIfNew(source: string, target: string): Promise<void> {
  const [sourceStats, targetStats] = await Promise.all([source, target].map(statIfPresent));
  if (!sourceStats || (targetStats?.size === sourceStats.size && targetStats.mtimeMs >= sourceStats.mtimeMs))
    return;
  const temporary = `${target}.new`;
  try {
    await copyFile(source, temporary);
    await rename(temporary, target);
  } catch (error) {
    // on a full disk it would leave no space for the archived WAL
    await rm(temporary, { force: true });
    ignoreMissing(error as NodeJS.ErrnoException);
  }
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

/** Without the timeline, which the first eight digits are. */
function positionOf({ firstSegment }: BaseBackup): string {
  return firstSegment.slice(8);
}

async function listBases(folder: string): Promise<StoredBase[]> {
  const names = (await readdir(join(folder, "base")).catch(ignoreMissing)) ?? [];
  return names.sort().flatMap((name) => {
    const [, time, firstSegment = ""] = BASE_NAME.exec(name) ?? [];
    if (!time) return [];
    const endedAt = new Date(Temporal.Instant.from(time).epochMilliseconds);
    return [{ path: join(folder, "base", name), endedAt, firstSegment }];
  });
}

/** Without base backups that were taken on a timeline after a restore branched off from it: no archived WAL follows them. */
export async function listUsableBases(folder: string): Promise<StoredBase[]> {
  const archived = await listArchived(folder);
  const { newest, ends } = await readTimelines(folder, archived);
  const usable: StoredBase[] = [];
  for (const base of await listBases(folder)) {
    const timeline = base.firstSegment.slice(0, 8);
    const isLeft = timeline < newest && (await endOf(base, folder, archived)) > (ends.get(timeline) ?? "");
    if (!isLeft) usable.push(base);
  }
  return usable;
}

async function listArchived(folder: string): Promise<string[]> {
  return (await readdir(join(folder, "wal")).catch(ignoreMissing)) ?? [];
}

async function readArchived(folder: string, name: string): Promise<string> {
  return gunzipSync(await readFile(join(folder, "wal", name))).toString();
}

interface Timelines {
  newest: string;
  /** by ancestor of the newest timeline: the WAL position at which the next timeline branched off */
  ends: Map<string, string>;
}

const HISTORY_NAME = /^([0-9A-F]{8})\.history\.gz$/;

async function readTimelines(folder: string, archived: string[]): Promise<Timelines> {
  const name = archived
    .filter((file) => HISTORY_NAME.test(file))
    .sort()
    .at(-1);
  if (!name) return { newest: "", ends: new Map() };
  const lines = (await readArchived(folder, name)).matchAll(/^(\d+)\t(\S+)/gm);
  const ends = Array.from(lines, ([, timeline, location = ""]): [string, string] => [
    toDigits(Number(timeline)),
    readLocation(location),
  ]);
  return { newest: name.slice(0, 8), ends: new Map(ends) };
}

const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The WAL position at which it was complete; where it began, if its backup history file is not archived. */
async function endOf(base: StoredBase, folder: string, archived: string[]): Promise<string> {
  const name = archived.find(
    (file) => file.startsWith(`${base.firstSegment}.`) && file.endsWith(".backup.gz"),
  );
  const [, end] = name ? (/^STOP WAL LOCATION: (\S+)/m.exec(await readArchived(folder, name)) ?? []) : [];
  return end ? readLocation(end) : startOf(base);
}

/** A position in the WAL such as 0/3000028, in a form that sorts. */
function readLocation(text: string): string {
  return text
    .split("/")
    .map((part) => part.padStart(8, "0"))
    .join("");
}

/** PostgreSQL begins a segment for each base backup. */
function startOf({ firstSegment }: BaseBackup): string {
  return firstSegment.slice(8, 16) + toDigits(Number.parseInt(firstSegment.slice(16), 16) * SEGMENT_BYTES);
}

function toDigits(number: number): string {
  return number.toString(16).toUpperCase().padStart(8, "0");
}

export async function deleteOld(folder: string, count: number): Promise<void> {
  const bases = await listBases(folder);
  for (const { path } of bases.slice(0, -count)) await rm(path);
  // not that of the first: after a restore to an earlier time, later base backups may begin earlier in the WAL
  const [position] = bases.slice(-count).map(positionOf).sort();
  if (!position) return;
  const wal = join(folder, "wal");
  for (const name of await listArchived(folder)) {
    if (/^[0-9A-F]{24}\./.test(name) && name.slice(8, 24) < position) await rm(join(wal, name));
  }
}
