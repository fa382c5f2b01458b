/** `npm start` restarts a store that exited unexpectedly, but not one that was stopped or could not start. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compileCache } from "../harness/compile-cache.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";

let database: FreshDatabase;
let dataDir: string;
let launcher: ChildProcess | undefined;
beforeEach(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "stator-launcher-"));
});
afterEach(async () => {
  launcher?.kill("SIGTERM");
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts it; returns its output so far, and its exit status. */
function launch(variables: Record<string, string> = {}) {
  const { user, password, host, port, database: name } = database.connection;
  const place = new URLSearchParams({ host: String(host), port: String(port) });
  const child = spawn(process.execPath, ["bin/start.mjs"], {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}:${password}@/${name}?${place}`,
      SAMPLE_DATA: "off",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  launcher = child;
  let output = "";
  const append = (bytes: Buffer) => {
    output += bytes;
  };
  child.stdout.on("data", append);
  child.stderr.on("data", append);
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return { child, ended, output: () => output };
}

function storeOf({ pid }: ChildProcess): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"), 10);
}

const opened = (output: string) => output.split("Stator is open at").length - 1;

test("a killed store is restarted with growing delays until the operator stops it", {
  timeout: 120_000,
}, async () => {
  const { child, ended, output } = launch({ PORT: String(await freePort()) });
  const poll = (what: () => unknown) => expect.poll(what, { timeout: 40_000, interval: 50 });
  await poll(() => opened(output())).toBe(1);
  process.kill(storeOf(child), "SIGKILL");
  await poll(output).toContain("The store exited unexpectedly (SIGKILL). Restarting in 1 s.");
  await poll(() => opened(output())).toBe(2);
  process.kill(storeOf(child), "SIGKILL");
  await poll(output).toContain("Restarting in 2 s.");
  await poll(() => opened(output())).toBe(3);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(output().split("exited unexpectedly").length - 1).toBe(2);
});

test("a store that the system cannot start again for a while is started once it can", {
  timeout: 60_000,
}, async () => {
  const { child, ended, output } = launch({ PORT: String(await freePort()) });
  const poll = (what: () => unknown) => expect.poll(what, { timeout: 40_000, interval: 50 });
  await poll(() => opened(output())).toBe(1);
  const limitFiles = (most: number) =>
    execFileSync("prlimit", ["--pid", String(child.pid), `--nofile=${most}:`]);
  limitFiles(3);
  process.kill(storeOf(child), "SIGKILL");
  await poll(output).toMatch(/could not be started: spawn .* EMFILE\. Restarting in 2 s\./);
  limitFiles(1024);
  await poll(() => opened(output())).toBe(2);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("a store that cannot start is not restarted", async () => {
  const { ended, output } = launch({ HOST: "256.1.1.1" });
  expect(await ended).toBe(1);
  expect(output()).toContain("HOST: 256.1.1.1 cannot be found.");
  expect(output()).not.toContain("Restarting");
});

test.each([
  ["PORT", "Port %s is already in use. Set PORT to another one."],
  ["METRICS_PORT", "METRICS_PORT: %s is already in use. Set it to another one."],
])("a %s in use is named before the first admin gets a password", async (name, line) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);
  const { ended, output } = launch({ PORT: String(await freePort()), [name]: port });
  expect(await ended).toBe(1);
  taken.close();
  expect(output()).toContain(line.replace("%s", port));
  expect(output()).not.toContain("First admin");
});

test("a port that a killed store's processes free a moment later is waited for", async () => {
  const taken = createServer().listen(await freePort(), "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  setTimeout(() => taken.close(), 3000);
  const { child, ended, output } = launch({ PORT: String(port) });
  await expect.poll(() => opened(output()), { timeout: 40_000 }).toBe(1);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
