/** `npm run dev`, with a stand-in for the store that is slow to stop. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";

const STORE = `
const { appendFileSync } = process.getBuiltinModule("node:fs");
const log = (what) => appendFileSync("log", what + " " + process.pid + "\\n");
process.on("SIGTERM", () => setTimeout(() => (log("stopped"), process.exit(0)), 1500));
setInterval(() => undefined, 1000);
log("started");
`;

let folder: string;
let dev: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stator-dev-"));
  for (const name of ["app", "api", "shop", "providers", "database", "server", "packages", "bin"])
    mkdirSync(join(folder, name));
  for (const file of ["dev.mjs", "prepare.mjs"]) copyFileSync(join("bin", file), join(folder, "bin", file));
  writeFileSync(join(folder, "server", "main.ts"), STORE);
  // what `prepare` checks: nothing to install, and a Node
  mkdirSync(join(folder, "node_modules", "node", "bin"), { recursive: true });
  symlinkSync(process.execPath, join(folder, "node_modules", "node", "bin", "node"));
  for (const list of ["package-lock.json", "node_modules/.package-lock.json"])
    writeFileSync(join(folder, list), '{"packages":{}}');
  writeFileSync(join(folder, "log"), "");
  dev = spawn(process.execPath, [join(folder, "bin", "dev.mjs")], { cwd: folder, stdio: "inherit" });
});
afterEach(async () => {
  const ended = new Promise((done) => dev.once("exit", done));
  dev.kill("SIGTERM");
  await expect(Promise.race([ended, pause(10_000, "too late")])).resolves.not.toBe("too late");
  rmSync(folder, { recursive: true });
});

const logLines = () => readFileSync(join(folder, "log"), "utf8").trim().split("\n");
const loggedEvents = () => logLines().map((line) => line.split(" ")[0]);
const save = () => writeFileSync(join(folder, "shop", "rules.ts"), `${Math.random()}`);

test("a second save while the store stops does not start it twice", async () => {
  await expect.poll(loggedEvents).toEqual(["started"]);
  save();
  await pause(700);
  save();
  await expect.poll(loggedEvents).toEqual(["started", "stopped", "started"]);
  await pause(500);
  expect(loggedEvents()).toEqual(["started", "stopped", "started"]);
});

test("the next save restarts a store that a signal ended", async () => {
  await expect.poll(loggedEvents).toEqual(["started"]);
  process.kill(Number(logLines().at(-1)?.split(" ")[1]), "SIGKILL");
  await pause(300);
  save();
  await expect.poll(loggedEvents).toEqual(["started", "started"]);
});
