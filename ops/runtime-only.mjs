/** Removes from node_modules what the running store does not need, for the image, which has Node and no PostgreSQL. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Dependencies of machines that have no Node and build the pages themselves (`npm start`). */
const BUILD_ONLY = [
  "@fontsource-variable/archivo",
  "@fontsource-variable/jetbrains-mono",
  "@react-router/dev",
  "@react-router/node",
  "node",
  "vite",
];

/** Where Node finds `name` from the package at `place`; undefined for a package that is not in the lock file. */
function find(name, place) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const path = join(folder, "node_modules", name);
    if (packages[path]) return path;
    if (folder === "") return undefined;
  }
}

/** Without optional peers, for which npm keeps whole build tools. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

const kept = new Set();
function keep(place) {
  if (!place || kept.has(place)) return;
  kept.add(place);
  const { link, resolved } = packages[place];
  if (link) keep(resolved);
  for (const name of neededBy(packages[place])) keep(find(name, place));
}
const own = Object.keys(packages).filter((place) => packages[place].link);
const direct = Object.keys(packages[""].dependencies).filter((name) => !BUILD_ONLY.includes(name));
for (const place of [...own, ...direct.map((name) => find(name, ""))]) keep(place);

for (const place of Object.keys(packages)) {
  const isParent = [...kept].some((other) => other.startsWith(`${place}/`));
  if (place.includes("node_modules/") && !kept.has(place) && !isParent)
    rmSync(join(root, place), { recursive: true, force: true });
}

/** Typings, source maps, manuals; typefaces other than those of documents (providers/documents/fonts.ts). */
function isUnread(path) {
  if (/\.map$|\.d\.[cm]?ts$/.test(path)) return true;
  if (/\.md$/.test(path)) return !/licen[cs]e|notice|copying/i.test(path);
  return /@fontsource\/.*\.(css|scss|woff2?)$/.test(path) && !/-(400|600)-normal\.woff$/.test(path);
}

const modules = join(root, "node_modules");
for (const path of readdirSync(modules, { recursive: true }))
  if (isUnread(path)) rmSync(join(modules, path), { recursive: true });
for (const folder of [".bin", ".cache"]) rmSync(join(modules, folder), { recursive: true, force: true });
