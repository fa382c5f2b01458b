/** The metrics named in ops exist. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectTo } from "../../database/hosts.ts";
import { readConfig } from "../../server/config.ts";
import { openMetrics } from "../../server/metrics/metrics.ts";
import { addStoreMetrics } from "../../server/metrics/store-metrics.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("dashboard and alerts use existing metrics, and show all of the store's own", () => {
  const { registry } = openMetrics({}, { labelProcess: false });
  addStoreMetrics(registry, new pg.Pool(), () => undefined);
  const names = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  const files = globSync("ops/{grafana,prometheus}/*", { cwd: root });
  expect(files.length).toBeGreaterThan(2);
  const used = files.flatMap((file) => read(file).match(/\b(?:stator|nodejs|process)_\w+/g) ?? []);
  const withoutSuffix = (name: string) => (names.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ""));
  const known = new Set(used.map(withoutSuffix));
  expect([...known].filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => name.startsWith("stator_") && !known.has(name))).toEqual([]);
});

test("the files set variables that the store reads", () => {
  const known = new Set(
    read(".env.example")
      .match(/^#[A-Z_0-9]+(?==)/gm)
      ?.map((line) => line.slice(1)),
  );
  const set = [
    ...(read("ops/Dockerfile").match(/\b[A-Z][A-Z_]+(?==)/g) ?? []),
    ...(read("ops/kubernetes/settings.yaml").match(/^ {2}[A-Z_0-9]+(?=:)/gm) ?? []),
    ...(read("ops/kubernetes/kustomization.yaml").match(/(?<=literal=)[A-Z_0-9]+/g) ?? []),
    ...(read("ops/compose.yaml").match(/^ {6}(?!POSTGRES)[A-Z_]+(?=:)/gm) ?? []),
    ...(read("ops/stator.service").match(/(?<=^Environment=)[A-Z_]+/gm) ?? []),
  ].map((name) => name.trim());
  expect(set.length).toBeGreaterThan(15);
  expect(set.filter((name) => !known.has(name) && !["NODE_ENV", "PGPASSWORD"].includes(name))).toEqual([]);
});

test("the compose file passes on any password", () => {
  const password = "p@ss/w#rd?%:";
  const settingOf = (name: string) =>
    new RegExp(`^ {6}${name}: (.+)`, "m")
      .exec(read("ops/compose.yaml"))?.[1]
      ?.replace("${POSTGRES_PASSWORD:-stator}", password);
  vi.stubEnv("PGPASSWORD", settingOf("PGPASSWORD"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = new pg.Client(
    connectTo(readConfig({ DATABASE_URL: settingOf("DATABASE_URL") }).DATABASE_URL ?? ""),
  );
  const { host, user, database } = client;
  const expected = { host: "database", user: "stator", database: "stator", password };
  expect({ host, user, database, password: client.password }).toEqual(expected);
});

test("images, service managers and checkouts run the same Node", () => {
  const { dependencies } = JSON.parse(read("package.json"));
  expect(read("ops/Dockerfile").match(/(?<=FROM node:)[\d.]+/g)).toEqual([
    dependencies.node,
    dependencies.node,
  ]);
});

test("the image keeps the typefaces of documents", () => {
  const fonts = read("providers/documents/fonts.ts");
  expect(fonts).toContain("`${subset}-${weight}-normal.woff`");
  const weights = /Weight = ([\d |]+);/.exec(fonts)?.[1]?.split(" | ");
  expect(read("ops/runtime-only.mjs")).toContain(`/-(${weights?.join("|")})-normal\\.woff$/`);
});

test("nodes have enough time to drain and to close", () => {
  const drain = Number(/DRAIN_SECONDS: "(\d+)"/.exec(read("ops/kubernetes/settings.yaml"))?.[1]);
  expect(drain).toBeGreaterThan(0);
  const graces = [
    ...["web", "worker"].map((name) =>
      read(`ops/kubernetes/${name}.yaml`).match(/terminationGracePeriodSeconds: (\d+)/),
    ),
    read("ops/stator.service").match(/TimeoutStopSec=(\d+)/),
    read("ops/compose.yaml").match(/stop_grace_period: (\d+)s/),
  ].map((found) => Number(found?.[1]));
  for (const grace of graces) expect(grace).toBeGreaterThan(drain + 20);
});
