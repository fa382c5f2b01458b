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
import { type Account, chooseAccount, giveTo } from "./account.ts";
import { type Binaries, findBinaries, linkLibraries } from "./binaries.ts";
import { DataFolderProblem, folderHash } from "./folder.ts";

/** Where a store's PostgreSQL is, and the account that runs it. */
export interface ClusterLocation {
  /** The store's data folder. */
  folder: string;
  /** PostgreSQL's own data folder. Its parent is writable for us, so that a finished one can be renamed into it. */
  cluster: string;
  /** The folder for PostgreSQL's socket, owned by the account. */
  socket: string;
  /** The folder of the programs initdb and postgres. */
  programs: string;
  /** The data format's version, such as 18. */
  major: string;
  account: Account;
  /** All that the programs may see of the environment: nothing of PG* that the operator has set for other servers. */
  environment: NodeJS.ProcessEnv;
}

/**
 * Finds programs, an account that can run them, and the place of the data: the data folder itself, or, where no
 * account but root can reach that or the programs, a folder below /var/lib (`postgres` is then a link to it).
 * @throws DataFolderProblem when there is no way to run PostgreSQL
 */
export function chooseLocation(
  folder: string,
  sockets: string,
  log: (line: string) => void,
): ClusterLocation {
  const binaries = findBinaries(folder);
  const cluster = followLink(join(folder, "postgres"));
  if (cluster === fallbackFolder(folder)) return openFallbackLocation(folder, binaries);
  const here = settle(folder, { data: folder, sockets }, cluster, binaries);
  return here ?? moveToFallback(folder, cluster, binaries, log);
}

/** PostgreSQL's data folder may be a link, made by us or by the operator who has a bigger disk. */
function followLink(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (!lstatSync(path, { throwIfNoEntry: false })) return path;
  throw new DataFolderProblem(
    `${path} is a link to a folder that is not there: bring the folder back, or set DATA_DIR.`,
  );
}

/** Where the data is kept when the data folder cannot be reached by an account that can run PostgreSQL. */
function fallbackFolder(folder: string): string {
  return join("/var/lib", `stator-${folderHash(folder)}`, "postgres");
}

/** The place, if an account is found that can run the programs and reach the folders; its data gets that owner. */
function settle(
  folder: string,
  folders: { data: string; sockets: string },
  cluster: string,
  binaries: Binaries,
): ClusterLocation | undefined {
  const programs = join(binaries.native, "bin");
  const socket = join(folders.sockets, "pg");
  const environment = cleanEnvironment(binaries.libraryPath);
  const account = chooseAccount(programs, { ...folders, own: socket }, environment);
  if (!account) return undefined;
  if (process.getuid?.() === 0 && existsSync(cluster)) giveTo(account, cluster);
  const major = binaries.version.split(".")[0] ?? "";
  return { folder, cluster, socket, programs, major, account, environment };
}

function cleanEnvironment(libraryPath: string | undefined): NodeJS.ProcessEnv {
  const PATH = `${process.env.PATH ?? ""}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const libraries = libraryPath && { LD_LIBRARY_PATH: libraryPath, DYLD_LIBRARY_PATH: libraryPath };
  return { PATH, LC_ALL: "C", TZ: "UTC", ...libraries };
}

/** The last way, for root only: programs and data below /var/lib, and a link to them. */
function moveToFallback(
  folder: string,
  cluster: string,
  binaries: Binaries,
  log: (line: string) => void,
): ClusterLocation {
  if (process.getuid?.() !== 0) throw new DataFolderProblem(noWayToRun());
  if (existsSync(cluster)) bring(cluster, fallbackFolder(folder));
  const place = openFallbackLocation(folder, binaries);
  mkdirSync(place.cluster, { recursive: true, mode: 0o700 });
  symlinkSync(place.cluster, cluster);
  log(
    `PostgreSQL cannot run as root and no other user can reach ${folder}: its data is kept in ${place.cluster}.`,
  );
  return place;
}

/**
 * Brings the data of a backup, or of a store that could be reached before, to where it is kept from now on: complete,
 * or not at all. What stood there before stays beside it.
 */
function bring(cluster: string, place: string): void {
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    throw new DataFolderProblem(`${cluster} holds no PostgreSQL data: move it away, or set DATA_DIR.`);
  }
  const unfinished = `${place}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(place), { recursive: true, mode: 0o711 });
  cpSync(cluster, unfinished, { recursive: true });
  if (existsSync(place)) renameSync(place, `${place}.before-${Date.now()}`);
  renameSync(unfinished, place);
  rmSync(cluster, { recursive: true });
}

function openFallbackLocation(folder: string, binaries: Binaries): ClusterLocation {
  const data = dirname(fallbackFolder(folder));
  const sockets = join(data, "run");
  mkdirSync(sockets, { recursive: true, mode: 0o711 });
  const copy = { ...binaries, native: copyPrograms(binaries, data), libraryPath: undefined };
  const place = settle(folder, { data, sockets }, fallbackFolder(folder), copy);
  if (!place) throw new DataFolderProblem(noWayToRun());
  return place;
}

function noWayToRun(): string {
  return "The built-in PostgreSQL cannot run on this machine (its programs do not start, also not as another user): set DATABASE_URL to a PostgreSQL server.";
}

/** Copies the programs once per version, complete or not at all. Gives the folder with bin, lib and share. */
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
