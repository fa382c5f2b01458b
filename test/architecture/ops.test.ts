/** The files of ops name metrics that there are. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { openMetrics } from "../../server/metrics/metrics.ts";
import { addStoreMetrics } from "../../server/metrics/store-metrics.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("dashboard and alerts use metrics that the store has, and show all of its own", () => {
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
