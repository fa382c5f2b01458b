// The store has its own session: each signal reaches it once, from here. If this process is killed, the channel closes.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const node = await prepare({ tests: false });
// A small young generation, since what a request allocates is garbage after its response; a collection of the old one
// before it has doubled; two malloc arenas. Cached modules save 0.4 s of a start. The operator's variables win.
const { options, environment } = JSON.parse(readFileSync(join(root, "bin", "node-options.json"), "utf8"));
const main = join(root, "server", "main.ts");

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** After this time without a failure, the pauses between restarts start over. */
const STABLE_AFTER_MS = 60_000;

let store;
let isStopping = false;
let wasOpen = false;
let pauseMs = FIRST_PAUSE_MS;
let restartTimer;

function start() {
  let openSince = Number.POSITIVE_INFINITY;
  store = spawn(node, [...options, main, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...environment, ...process.env, NODE_ENV: "production" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: true,
  });
  store.on("message", (message) => {
    if (message !== "open") return;
    wasOpen = true;
    openSince = performance.now();
  });
  store.on("error", (error) => {
    if (store.pid !== undefined) return console.error(error.message);
    if (wasOpen) return restartLater(`The store could not be started: ${error.message}.`);
    console.error(`The store could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  store.on("exit", (status, signal) => {
    // a first start that fails needs the operator: an invalid variable, a port in use
    if (isStopping || status === 0 || !wasOpen) process.exit(status ?? 128 + constants.signals[signal]);
    if (performance.now() - openSince > STABLE_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    restartLater(`The store exited unexpectedly (${signal ?? `exit status ${status}`}).`);
  });
}

function restartLater(reason) {
  console.error(`${reason} Restarting in ${pauseMs / 1000} s.`);
  store = undefined;
  restartTimer = setTimeout(start, pauseMs);
  pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
}

/** Ctrl-C can arrive twice, from the terminal and through npm; the store gets it once. */
function forwardOnce(signal) {
  if (isStopping) return;
  isStopping = true;
  clearTimeout(restartTimer);
  if (store) store.kill(signal);
  else process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => forwardOnce(signal));

// A killed npm cannot pass on a signal: this process gets a new parent. Started otherwise, it outlives its parent.
const npm = process.ppid;
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== npm && forwardOnce("SIGTERM"), 500).unref();

start();
