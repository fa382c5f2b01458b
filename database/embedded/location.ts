import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Account, changeOwner, chooseAccount } from "./account.ts";
import { type Binaries, findBinaries, linkLibraries } from "./binaries.ts";
import { DataFolderProblem, folderHash } from "./folder.ts";

export interface ClusterLocation {
  folder: string;
  /** PostgreSQL's data folder; its parent is writable for us, so that a finished one can be renamed into it */
  cluster: string;
  socket: string;
  programs: string;
  major: string;
  account: Account;
  /** the whole environment of the programs: without the PG* variables that the operator set for other servers */
  environment: NodeJS.ProcessEnv;
}

/** The data folder itself or, if only root can reach it or the programs, a folder below /var/lib, to which it links. */
export function chooseLocation(
  folder: string,
  sockets: string,
  log: (line: string) => void,
): ClusterLocation {
  const binaries = findBinaries(folder);
  const cluster = followLink(join(folder, "postgres"));
  if (cluster === fallbackFolder(folder)) return openFallbackLocation(folder, binaries);
  const location = openLocation(folder, { data: folder, sockets }, cluster, binaries);
  return location ?? moveToFallback(folder, cluster, binaries, log);
}

/** PostgreSQL's data folder may be a link, made by us or by an operator with a larger disk. */
function followLink(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (!lstatSync(path, { throwIfNoEntry: false })) return path;
  throw new DataFolderProblem(
    `${path} is a link to a folder that is not there: restore the folder, or set DATA_DIR.`,
  );
}

/** For a data folder that no account that can run PostgreSQL can reach. */
function fallbackFolder(folder: string): string {
  return join("/var/lib", `stator-${folderHash(folder)}`, "postgres");
}

/** Undefined if no account can run the programs and reach the folders; else the data belongs to it. */
function openLocation(
  folder: string,
  folders: { data: string; sockets: string },
  cluster: string,
  binaries: Binaries,
): ClusterLocation | undefined {
  const programs = join(binaries.native, "bin");
  const socket = join(folders.sockets, "pg");
  const environment = cleanEnvironment(binaries.libraryPath);
  const account = chooseAccount(programs, { ...folders, owned: socket }, environment);
  if (!account) return undefined;
  if (process.getuid?.() === 0 && existsSync(cluster)) changeOwner(account, cluster);
  const major = binaries.version.split(".")[0] ?? "";
  return { folder, cluster, socket, programs, major, account, environment };
}

function cleanEnvironment(libraryPath: string | undefined): NodeJS.ProcessEnv {
  const PATH = `${process.env.PATH ?? ""}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const libraries = libraryPath && { LD_LIBRARY_PATH: libraryPath, DYLD_LIBRARY_PATH: libraryPath };
  return { PATH, LC_ALL: "C", TZ: "UTC", ...libraries };
}

function moveToFallback(
  folder: string,
  cluster: string,
  binaries: Binaries,
  log: (line: string) => void,
): ClusterLocation {
  if (process.getuid?.() !== 0) throw new DataFolderProblem(cannotRunMessage());
  if (existsSync(cluster)) moveData(cluster, fallbackFolder(folder));
  const location = openFallbackLocation(folder, binaries);
  mkdirSync(location.cluster, { recursive: true, mode: 0o700 });
  symlinkSync(location.cluster, cluster);
  log(
    `PostgreSQL cannot run as root and no other user can reach ${folder}: its data is kept in ${location.cluster}.`,
  );
  return location;
}

/** Atomically moves existing data to its new location. Earlier data there is kept under another name. */
function moveData(cluster: string, target: string): void {
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    throw new DataFolderProblem(`${cluster} holds no PostgreSQL data: move it away, or set DATA_DIR.`);
  }
  const unfinished = `${target}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true, mode: 0o711 });
  cpSync(cluster, unfinished, { recursive: true });
  if (existsSync(target)) renameSync(target, `${target}.before-${Date.now()}`);
  renameSync(unfinished, target);
  rmSync(cluster, { recursive: true });
}

function openFallbackLocation(folder: string, binaries: Binaries): ClusterLocation {
  const data = dirname(fallbackFolder(folder));
  const sockets = join(data, "run");
  mkdirSync(sockets, { recursive: true, mode: 0o711 });
  const copy = { ...binaries, native: copyPrograms(binaries, data), libraryPath: undefined };
  const location = openLocation(folder, { data, sockets }, fallbackFolder(folder), copy);
  if (!location) throw new DataFolderProblem(cannotRunMessage());
  return location;
}

function cannotRunMessage(): string {
  return "The built-in PostgreSQL cannot run on this machine (its programs do not start, also not as another user): set DATABASE_URL to a PostgreSQL server.";
}

/** Copies the programs once per version, atomically. Returns the folder with bin, lib and share. */
function copyPrograms(binaries: Binaries, base: string): string {
  const copy = join(base, `programs-${binaries.version}`);
  if (existsSync(copy)) return join(copy, "native");
  const unfinished = `${copy}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(binaries.native, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  linkLibraries(unfinished, base);
  renameSync(unfinished, copy);
  return join(copy, "native");
}
