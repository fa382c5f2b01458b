// `npm run dev`: the store as `npm start` runs it, built for development, and started again after every change.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const ROOMS = ["app", "api", "shop", "providers", "database", "server"];
const QUIET_MS = 200;

/** The store while it runs. */
let store;
/** Whether it shall start again when it has stopped. */
let again = false;
let ending = false;
let timer;

function start() {
  again = false;
  store = spawn(process.execPath, [join(root, "bin", "start.mjs")], {
    stdio: "inherit",
    env: { ...process.env, STATOR_MODE: "development" },
  });
  store.on("exit", (status) => {
    store = undefined;
    if (ending) process.exit(status ?? 0);
    if (again) start();
  });
}

/** An editor saves in several steps; the store is stopped and started once, after the last. */
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (!store) return start();
    again = true;
    store.kill("SIGTERM");
  }, QUIET_MS);
}

for (const room of ROOMS) watch(join(root, room), { recursive: true }, changed);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    ending = true;
    if (!store) process.exit(0);
    store.kill(signal);
  });
}
start();
