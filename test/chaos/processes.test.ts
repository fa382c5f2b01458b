/** Several processes on one port: each is replaced when it dies, and the metrics name the process. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

let victim: StoreProcess;
afterAll(() => victim.remove(), 60_000);

test("a process that dies while others start is replaced", {
  timeout: 120_000,
}, async () => {
  victim = await createStoreProcess(3);
  const started = victim.start();
  const isOpen = () =>
    fetch(`${victim.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isOpen, { timeout: 60_000, interval: 20 }).toBe(true);
  const [first] = victim.workers() as [number];
  process.kill(first, "SIGKILL");
  await started;
  await expect.poll(() => victim.workers().length, { timeout: 20_000 }).toBe(3);
  expect(victim.workers()).not.toContain(first);
});

test("a process that the system cannot start for a while is started once it can", {
  timeout: 60_000,
}, async () => {
  const [worker, other] = victim.workers() as [number, number];
  const [, primary] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${other}/status`, "utf8")) ?? [];
  const limitFiles = (most: number) => execFileSync("prlimit", ["--pid", `${primary}`, `--nofile=${most}:`]);
  limitFiles(3);
  process.kill(worker, "SIGKILL");
  await pause(2000);
  expect(victim.isAlive()).toBe(true);
  expect(victim.workers()).toHaveLength(2);
  limitFiles(1024);
  await expect.poll(() => victim.workers().length, { timeout: 20_000 }).toBe(3);
});

test("metrics are labelled by process, so counters never decrease", async () => {
  const counted = new Map<string, number>();
  for (let scrape = 0; scrape < 60; scrape += 1) {
    const response = await fetch(`${victim.url}/metrics`, { headers: { connection: "close" } });
    const figures = await response.text();
    const [, process = ""] = /^process_cpu_seconds_total\{process="(\d+)"\}/m.exec(figures) ?? [];
    expect(victim.workers()).toContain(Number(process));
    const [, count = 0] =
      /^stator_request_seconds_count\{.*route="\/metrics".*\} (\d+)$/m.exec(figures) ?? [];
    expect(Number(count)).toBeGreaterThanOrEqual(counted.get(process) ?? 0);
    counted.set(process, Number(count));
  }
  expect(counted.size).toBeGreaterThan(1);
});
