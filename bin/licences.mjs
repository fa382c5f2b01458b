/** Writes docs/licences.md: every package that comes along with the store, and under which licence. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** What a package says of itself; one that is not installed here (another platform's) is known from the lock file. */
function licenceOf(place, locked) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"));
    const said = license ?? licenses?.map((one) => one.type ?? one).join(" OR ");
    const name = typeof said === "object" ? said.type : (said ?? "not stated");
    return name.replace(/^\((.*)\)$/, "$1"); // a choice is written with brackets by some, without by others
  } catch {
    return locked.license ?? "not stated";
  }
}

const rows = Object.entries(packages)
  .filter(([place, locked]) => place !== "" && !locked.link)
  .map(([place, locked]) => ({
    name: place.slice(place.lastIndexOf("node_modules/") + 13),
    version: locked.version,
    licence: licenceOf(place, locked),
    use: locked.dev ? "tests" : "store",
  }));
const unique = [...new Map(rows.map((row) => [`${row.name} ${row.version}`, row])).values()];
unique.sort((one, other) => (one.name < other.name ? -1 : 1));

const counts = new Map();
for (const { licence, use } of unique) {
  const count = counts.get(licence) ?? { store: 0, tests: 0 };
  count[use] += 1;
  counts.set(licence, count);
}

const lines = [
  "# Licences",
  "",
  "Written by `npm run licences` from the packages themselves. *store* runs in production, *tests* does not.",
  "",
  "| Licence | store | tests |",
  "|---|---:|---:|",
  ...[...counts]
    .sort((one, other) => other[1].store - one[1].store)
    .map(([licence, { store, tests }]) => `| ${licence} | ${store} | ${tests} |`),
  "",
  "| Package | Version | Licence | Use |",
  "|---|---|---|---|",
  ...unique.map(({ name, version, licence, use }) => `| ${name} | ${version} | ${licence} | ${use} |`),
  "",
];
writeFileSync(join(root, "docs", "licences.md"), lines.join("\n"));
console.log(`${unique.length} packages, ${counts.size} licences: docs/licences.md`);
