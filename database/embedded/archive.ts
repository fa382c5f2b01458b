import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Queryable } from "../client.ts";
import { type Account, changeOwner } from "./account.ts";
import { DataFolderProblem, ensureWritable } from "./folder.ts";
import type { ClusterLocation } from "./location.ts";
import type { Settings } from "./process.ts";

/** The most that a lost disk can cost: a segment is finished after so long, also when it is not full. */
const ARCHIVE_TIMEOUT = "60s";

const IDENTIFIER_FILE = "system-identifier";

/** The system identifier of a cluster, which its backups share; undefined before the cluster is created. */
export function readSystemIdentifier(cluster: string): string | undefined {
  const file = join(cluster, "global", "pg_control");
  return existsSync(file) ? readFileSync(file).readBigUInt64LE(0).toString() : undefined;
}

export async function findSystemIdentifier(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ identifier: string }>(
    "SELECT system_identifier::text AS identifier FROM pg_control_system()",
  );
  return rows[0]?.identifier;
}

/** Throws DataFolderProblem if it cannot be used, or is of another cluster, whose WAL has the same file names. */
export function claimBackupFolder(folder: string, identifier: string | undefined): void {
  const file = join(folder, IDENTIFIER_FILE);
  ensureWritable("backup", folder, 0o711);
  const found = withReason(folder, () => (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined));
  if (found && found !== identifier) {
    throw new DataFolderProblem(
      `The backup folder ${folder} has the backup of another store: restore that (npm run restore), or name another folder (BACKUP_DIR).`,
    );
  }
  if (!found && identifier) withReason(folder, () => writeFileSync(file, `${identifier}\n`, { mode: 0o600 }));
}

/** In the data folder: where its WAL was archived last. */
export const BACKUP_FOLDER_FILE = "backup-folder";

/** An empty mount point would take the WAL, and the backup on the missing disk would have a gap. */
export function refuseMissingBackup(dataDir: string, backupDir: string): void {
  const file = join(dataDir, BACKUP_FOLDER_FILE);
  const isKnown = existsSync(file) && readFileSync(file, "utf8").trim() === backupDir;
  if (!isKnown || existsSync(join(backupDir, IDENTIFIER_FILE))) return;
  throw new DataFolderProblem(
    `The backup folder ${backupDir} does not have the backup of this store any more: mount its disk, or remove ${file} to begin a new backup.`,
  );
}

export function rememberBackupFolder(dataDir: string, backupDir: string): void {
  writeFileSync(join(dataDir, BACKUP_FOLDER_FILE), `${backupDir}\n`, { mode: 0o600 });
}

/** Fails with one line: the file may be of root, who took the first backup, or the disk is full. */
function withReason<Result>(folder: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new DataFolderProblem(
      `The backup folder ${folder} cannot be used: ${(error as Error).message}. Run all commands as the user of the store, or name another folder (BACKUP_DIR).`,
    );
  }
}

/** A segment that is there already must be the same. */
export function archiveSettings(folder: string, { account, cluster }: ClusterLocation): Settings {
  claimBackupFolder(folder, readSystemIdentifier(cluster));
  const wal = join(folder, "wal");
  ensureWritable("backup", wal, 0o700);
  grantAccess(account, wal, "w");
  const command = `f=${quote(wal)}/%f.gz
if test -f "$f"; then gzip -dc "$f" | cmp -s - "%p"
else gzip -1 -c "%p" >"$f.new" && sync "$f.new" && mv "$f.new" "$f"; fi`;
  return { archive_mode: "on", archive_timeout: ARCHIVE_TIMEOUT, archive_command: command };
}

/** Undefined when it can, or need not. */
export async function findArchiveFailure(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ since: Date }>(
    `SELECT coalesce(last_archived_time, stats_reset) AS since FROM pg_stat_archiver
     WHERE current_setting('archive_mode') = 'on' AND last_failed_time > coalesce(last_archived_time, '-infinity')`,
  );
  const since = rows[0]?.since.toISOString();
  return since && `The WAL cannot be archived since ${since}; postgres.log in DATA_DIR has the reason.`;
}

export interface Recovery {
  from: string;
  /** the time up to which transactions are replayed; by default all that were archived */
  to?: string | undefined;
}

/** A damaged segment ends the recovery with an error; a missing one is the end of the archive. */
export function recoverySettings({ from, to }: Recovery, { account }: ClusterLocation): Settings {
  const wal = join(from, "wal");
  grantAccess(account, wal, "r");
  return {
    restore_command: `f=${quote(wal)}/%f.gz; test -f "$f" || exit 1; gzip -dc "$f" >"%p" || exit 200`,
    hot_standby: "off", // nobody connects before the recovery ends
    recovery_target_action: "promote",
    ...(to && { recovery_target_time: to }),
  };
}

/** The time of the last transaction that a recovery has replayed; null if there was none. */
export async function findLastReplayed(db: Queryable): Promise<Date | null | undefined> {
  const { rows } = await db.query<{ last: Date | null }>("SELECT pg_last_xact_replay_timestamp() AS last");
  return rows[0]?.last;
}

function grantAccess(account: Account, wal: string, access: "r" | "w"): void {
  if (process.getuid?.() === 0) changeOwner(account, wal);
  const probe = [...account.prefix, "sh", "-c", `cd "$0" && test -${access} .`, wal];
  const [command = "", ...rest] = probe;
  if (spawnSync(command, rest, { ...account.spawn, cwd: "/" }).status === 0) return;
  throw new DataFolderProblem(
    `PostgreSQL runs as user ${account.uid}, who cannot use ${wal}: let that user pass through the folders above it, or name another folder (BACKUP_DIR).`,
  );
}

/** For the shell, inside a setting in which % begins a placeholder. */
function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''").replaceAll("%", "%%")}'`;
}
