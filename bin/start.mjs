// `npm start`: prepares what is missing, then runs the store in the foreground. The store is a process of its own, in
// its own session: it gets each signal once, from here, and stops in its own order. If this process is killed, the
// store notices that the channel between them is gone, and stops too. A store that ends by itself is started again.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const node = await prepare({ tests: false });
// Small: the space for young objects is a part of what Node takes by itself, since what a request makes is dead when it
// is answered; the space for old ones is cleared before it has doubled; and the C library keeps two pools of memory for
// its threads. An operator's own variables go before these.
const { options, environment } = JSON.parse(readFileSync(join(root, "bin", "node-options.json"), "utf8"));
const main = join(root, "server", "main.ts");

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A store that was open for so long starts a new row of pauses. */
const SETTLED_MS = 60_000;

let store;
let isReported = false;
let wasOpen = false;
let pauseMs = FIRST_PAUSE_MS;
let restart;

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
    openSince = Date.now();
  });
  store.on("error", (error) => {
    console.error(`The store could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  store.on("exit", (status, signal) => {
    // a first start that fails needs the operator: a variable is wrong, a port is taken
    if (isReported || status === 0 || !wasOpen) process.exit(status ?? 128 + constants.signals[signal]);
    if (Date.now() - openSince > SETTLED_MS) pauseMs = FIRST_PAUSE_MS;
    const how = signal ?? `exit status ${status}`;
    console.error(`The store ended by itself (${how}). It is started again in ${pauseMs / 1000} s.`);
    store = undefined;
    restart = setTimeout(start, pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  });
}

/** Ctrl-C can come twice, from the terminal and through npm; the store shall hear it once. */
function tell(signal) {
  if (isReported) return;
  isReported = true;
  clearTimeout(restart);
  if (store) store.kill(signal);
  else process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tell(signal));

// npm that is killed cannot pass on a signal; we are then another process's child, and the store shall not go on.
// (`exec` in package.json leaves no shell between npm and us.) Started in another way, we outlive who started us.
const npm = process.ppid;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== npm && tell("SIGTERM"), 500).unref();

start();
