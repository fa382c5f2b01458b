import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export interface Import {
  from: string;
  /** a file of ours, or the name of a package or a module of Node */
  to: string;
  /** erased at compile time */
  typeOnly: boolean;
}

const folders = ["app", "api", "shop", "providers", "database", "server", "packages"] as const;
export type TopFolder = (typeof folders)[number];

const root = fileURLToPath(new URL("../..", import.meta.url));
const IMPORT =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?:(?<names>[^"'`;]*?)\s+from\s+)?["'](?<path>[^"']+)["']|\bimport\(\s*["'](?<dynamic>[^"']+)["']\s*\)/gm;

/** The product's files, relative to the root. */
export const files = globSync(`{${folders.join(",")}}/**/*.{ts,tsx}`, { cwd: root }).sort();

export const imports: Import[] = files.flatMap(importsOf);

export const folderOf = (path: string): TopFolder | undefined =>
  folders.find((folder) => path.startsWith(`${folder}/`));

function importsOf(from: string): Import[] {
  const code = readFileSync(join(root, from), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return [...code.matchAll(IMPORT)].map(({ groups = {} }) => {
    const path = groups.path ?? groups.dynamic ?? "";
    const names = groups.names?.trim() ?? "";
    const everyNameIsAType = /^\{(\s*type\s[^,]*,?)+\s*\}$/.test(names);
    return { from, to: resolve(from, path), typeOnly: groups.type !== undefined || everyNameIsAType };
  });
}

function resolve(from: string, path: string): string {
  const [, name, file] = path.match(/^@stator\/([^/]+)\/(.+)$/) ?? [];
  if (name) return `packages/${name}/src/${file}.ts`;
  return path.startsWith(".") ? normalize(join(dirname(from), path.replace(/\?.*$/, ""))) : path;
}

const needed = imports.filter((one) => !one.typeOnly && one.to !== "zod" && !one.to.endsWith(".json"));

/** What keeps these files from being pure: the imports of anything else, also by the files that they import. */
export function impureImportsOf(impure: string[], pure: Set<string>): Import[] {
  const reached = new Set(impure);
  for (const file of reached)
    for (const { from, to } of needed)
      if (from === file && files.includes(to) && !pure.has(to)) reached.add(to);
  return needed.filter(({ from, to }) => reached.has(from) && !/^(api|shop)\//.test(to));
}

/**
 * The pure files of api and shop: at run time they need only each other and zod. Removes impure files until the set
 * is stable.
 */
export function pureFiles(): Set<string> {
  const pure = new Set(files.filter((file) => /^(api|shop)\//.test(file)));
  for (let before = -1; before !== pure.size; ) {
    before = pure.size;
    for (const { from, to } of needed) if (!pure.has(to)) pure.delete(from);
  }
  return pure;
}

/** The first run-time import cycle, or null. */
export function findCycle(): string[] | null {
  const next = Map.groupBy(
    imports.filter((one) => !one.typeOnly && folderOf(one.to)),
    (one) => one.from,
  );
  const done = new Set<string>();
  const walk = (file: string, way: string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { to } of next.get(file) ?? []) {
      const cycle = walk(to, [...way, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of files) {
    const cycle = walk(file, []);
    if (cycle) return cycle;
  }
  return null;
}
