import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

export class DataFolderProblem extends Error {
  override name = "DataFolderProblem";
}

export const MARKER = ".stator";
const MARKER_TEXT = "This folder is kept by a Stator store. Change nothing in it while the store runs.\n";

/** Left by mounts, git and file managers; a folder with only these counts as empty. */
const HARMLESS = new Set(["lost+found", ".gitkeep", ".gitignore", ".DS_Store"]);

/** Must run before anything else is written there. Throws if it holds other files, or is not ours or writable. */
export function claimDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  ensureWritable("data", folder, 0o700);
  refuseUnfinishedRestore(folder);
  const marker = lstatSync(join(folder, MARKER), { throwIfNoEntry: false });
  if (marker) refuseAnotherOwner(folder, marker.uid);
  else createMarker(folder);
  return folder;
}

/** In a folder that was empty when a restore began, until all of it is restored. */
export const UNFINISHED_RESTORE = "restore-unfinished";

function refuseUnfinishedRestore(folder: string): void {
  if (!existsSync(join(folder, UNFINISHED_RESTORE))) return;
  throw new DataFolderProblem(
    `The restore to ${folder} is running or was interrupted: let it end, or run it again (npm run restore).`,
  );
}

export function ensureWritable(kind: "data" | "backup", folder: string, mode: number): void {
  try {
    makeFolder(folder, mode);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const variable = kind === "data" ? "DATA_DIR" : "BACKUP_DIR";
    throw new DataFolderProblem(
      `The ${kind} folder ${folder} cannot be used: ${reason(error)}. Name another folder (${variable}).`,
    );
  }
}

/** Node's own, `recursive`, never returns where a folder is there and nothing can be made in it, as in /proc. */
export function makeFolder(path: string, mode = 0o777): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (isThere()) return;
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && isThere()) return; // another process was first
    if (code !== "ENOENT" || lstatSync(dirname(path), { throwIfNoEntry: false })) throw error;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EEXIST" || code === "ENOTDIR") return "a file stands where a folder is needed";
  if (code === "EACCES" || code === "EPERM") return "this user may not write there";
  if (code === "ENOENT") return "it cannot be made there";
  if (code === "EROFS") return "the file system is read-only";
  return message;
}

function refuseAnotherOwner(folder: string, owner: number): void {
  if (owner === process.getuid?.()) return;
  throw new DataFolderProblem(
    `The data folder ${folder} belongs to another user (${owner}): start the store as that user, or set DATA_DIR to another folder.`,
  );
}

export function findContent(folder: string, ...known: string[]): string | undefined {
  return readdirSync(folder).find((name) => !HARMLESS.has(name) && !known.includes(name));
}

function createMarker(folder: string): void {
  const foreign = findContent(folder, MARKER);
  if (foreign) {
    throw new DataFolderProblem(
      `The data folder ${folder} holds things that are not the store's (${foreign}). Nothing was changed: set DATA_DIR to an empty or new folder.`,
    );
  }
  if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, 0o700);
  writeFileSync(join(folder, MARKER), MARKER_TEXT, { mode: 0o600 });
}

export function folderHash(folder: string): string {
  return createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 16);
}
