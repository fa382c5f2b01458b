// Restarts on changes of the server's code: `node --watch` would miss SQL files, and see Vite's temporary ones.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

const SERVER_FOLDERS = ["api", "shop", "providers", "database", "server", "packages"];
/** An editor saves in several steps. */
const DEBOUNCE_MS = 100;

const node = await prepare({ tests: true, pages: false });
let store;
let restarting = false;
let ending = false;
let timer;

function start() {
  restarting = false;
  store = spawn(node, [join(root, "server", "main.ts"), ...process.argv.slice(2)], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
      ...process.env,
      NODE_ENV: "development",
    },
    // the store stops when the channel closes, also if this process is killed
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  store.on("exit", (status) => {
    store = undefined;
    if (ending) process.exit(status ?? 0);
    if (restarting) start();
  });
}

function restart() {
  if (!store) return start();
  restarting = true;
  store.kill("SIGTERM");
}

for (const folder of SERVER_FOLDERS)
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, DEBOUNCE_MS);
  });
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    ending = true;
    if (store) store.kill(signal);
    else process.exit(0);
  });
start();
