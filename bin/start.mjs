// `npm start`: prepares what is missing, then runs the store in the foreground. The store is a process of its own, in
// its own session: it gets each signal once, from here, and stops in its own order. If this process is killed, the
// store notices that the channel between them is gone, and stops too.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const node = await prepare({ tests: false });
const main = join(root, "server", "main.ts");
const store = spawn(node, ["--disable-warning=ExperimentalWarning", main, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, NODE_ENV: "production" },
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  detached: true,
});

let told = false;
/** Ctrl-C can come twice, from the terminal and through npm; the store shall hear it once. */
function tell(signal) {
  if (told) return;
  told = true;
  store.kill(signal);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tell(signal));

/**
 * npm that is killed cannot pass on a signal; the store shall not go on without it. Between npm and us stands a shell,
 * which some systems keep and others replace by us. Started in another way, we do not depend on who started us.
 */
function watchNpm() {
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : parent;
  setInterval(() => {
    if (process.ppid !== parent || !existsSync(`/proc/${npm}`)) tell("SIGTERM");
  }, 500).unref();
}

function isShell(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] === "-c";
}

function parentOf(pid) {
  const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return parent;
}

if (process.env.npm_lifecycle_event && existsSync("/proc/self/status")) watchNpm();

store.on("error", (error) => {
  console.error(`The store could not be started: ${error.message}`);
  process.exitCode = 1;
});
store.on("exit", (status, signal) => {
  process.exit(status ?? 128 + constants.signals[signal]);
});
