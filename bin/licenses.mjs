/** Writes build/licenses.md, the license of every package. Exits with 1 if one is not in ALLOWED. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** Licenses that allow running and changing the store without publishing it. A choice (A OR B) needs one of these. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later", // of a shared library that is loaded unchanged
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
]);

const LICENSES_FROM_TEXT = { "node_modules/png-js": "MIT", "node_modules/humanize-number": "MIT" };

function licenseOf(path, locked) {
  if (LICENSES_FROM_TEXT[path]) return LICENSES_FROM_TEXT[path];
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    const named = license ?? licenses?.map((entry) => entry.type ?? entry).join(" OR ");
    const name = typeof named === "object" ? named.type : (named ?? locked.license ?? "unknown");
    return name.replace(/^\((.*)\)$/, "$1");
  } catch {
    return locked.license ?? "unknown"; // for another platform, so not installed here
  }
}

const isAllowed = (license) =>
  license.split(" OR ").some((choice) => choice.split(" AND ").every((name) => ALLOWED.has(name.trim())));

const rows = Object.entries(packages)
  .filter(([path, locked]) => path.includes("node_modules/") && !locked.link)
  .map(([path, locked]) => ({
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version: locked.version,
    license: licenseOf(path, locked),
    use: locked.dev ? "development" : "store",
  }));
const unique = [...new Map(rows.map((row) => [`${row.name} ${row.version}`, row])).values()];
unique.sort((one, other) => (one.name < other.name ? -1 : 1));

const lines = [
  "# Licenses",
  "",
  "| Package | Version | License | Used by |",
  "|---|---|---|---|",
  ...unique.map(({ name, version, license, use }) => `| ${name} | ${version} | ${license} | ${use} |`),
  "",
];
mkdirSync(join(root, "build"), { recursive: true });
writeFileSync(join(root, "build", "licenses.md"), lines.join("\n"));
console.log(`License list of ${unique.length} packages: build/licenses.md`);

const refused = unique.filter(({ license }) => !isAllowed(license));
for (const { name, version, license } of refused)
  console.error(`${name} ${version}: license ${license} is not allowed`);
process.exitCode = refused.length > 0 ? 1 : 0;
