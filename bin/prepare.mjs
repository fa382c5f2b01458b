// Runs on any Node from 20 up, without dependencies, since nothing may be installed yet.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const BUILD_INPUTS = [
  "app",
  "api",
  "shop",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package-lock.json",
];
const BUILD_STAMP = join(root, "build", "stamp");

let prepareLock;

class PrepareError extends Error {}

/** @param {{ tests: boolean, pages?: boolean }} options without `pages` nothing is built */
export async function prepare({ tests, pages = true }) {
  try {
    if (isInstalled(tests) && findNode() && (!pages || isBuilt())) return findNode();
    prepareLock = await lock();
    try {
      if (!isInstalled(tests)) install(tests);
      const node = findNode() ?? installNode();
      if (pages && !isBuilt()) build(node);
      return node;
    } finally {
      prepareLock.release();
    }
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** Whether node_modules matches package-lock.json. npm writes its own list there last, so it is complete. */
function isInstalled(tests) {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, "utf8")).packages;
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(locked).every(([path, { version, optional, devOptional, dev }]) => {
    const needed = path !== "" && !optional && (tests || !(dev || devOptional));
    return !needed || installed[path]?.version === version;
  });
}

/** Updates node_modules instead of recreating it, as npm ci would: a store may be running from it. */
function install(tests) {
  console.log("Installing packages…");
  const first = !existsSync(join(root, "node_modules", ".package-lock.json"));
  const kind = first && !tests ? "--omit=dev" : "--include=dev";
  const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--include=optional", kind];
  npm(["install", ...options], root);
  if (!isInstalled(tests))
    throw new PrepareError("npm did not install everything that package-lock.json lists.");
}

function npm(args, folder) {
  const fromNpm = /^npm/.test(basename(process.env.npm_execpath ?? ""));
  const [command, ...rest] = fromNpm ? [systemNode(), process.env.npm_execpath, ...args] : ["npm", ...args];
  run(command, rest, {
    cwd: folder,
    env: systemEnvironment(),
    shell: !fromNpm && process.platform === "win32",
  });
}

/** The machine's own Node: the one in node_modules may be replaced while it runs npm. */
function systemNode() {
  return process.env.npm_node_execpath ?? process.execPath;
}

function systemEnvironment() {
  const path = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, "node_modules")));
  return { ...process.env, PATH: path.join(delimiter), NODE_ENV: "" };
}

/** The child inherits the lock, so the next start waits for it even if this process is killed. */
function run(command, args, options) {
  const stdio = ["ignore", "pipe", "pipe", prepareLock.handle];
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    ...options,
    stdio,
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return;
  process.stdout.write(stdout ?? "");
  process.stderr.write(stderr ?? "");
  throw new PrepareError(
    `Command failed: ${basename(command)} ${args.join(" ")}${error ? ` (${error.message})` : ""}`,
  );
}

function findNode() {
  const own = ["node", "node.exe"].map((name) => join(root, "node_modules", "node", "bin", name));
  return own.find((path) => existsSync(path) && spawnSync(path, ["--version"]).status === 0);
}

/** For when npm skips install scripts. If this fails too, the current Node is used if it runs TypeScript. */
function installNode() {
  const folder = join(root, "node_modules", "node");
  try {
    run(systemNode(), ["installArchSpecificPackage.js"], { cwd: folder, env: systemEnvironment() });
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    console.error(error.message);
  }
  const node = findNode();
  if (node) return node;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new PrepareError(
    "Node 26 could not be installed (npm package node), and this Node is older than 22.18.",
  );
}

function isBuilt() {
  return existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, "utf8") === inputsHash();
}

function build(node) {
  console.log("Building pages…");
  const stamp = inputsHash();
  rmSync(BUILD_STAMP, { force: true });
  const builder = join(root, "node_modules", "@react-router", "dev", "bin.cjs");
  run(node, [builder, "build"], { cwd: root, env: { ...process.env, NODE_ENV: "production" } });
  writeFileSync(BUILD_STAMP, stamp); // last: an interrupted build has no stamp
}

function inputsHash() {
  const hash = createHash("sha256");
  for (const input of BUILD_INPUTS) addToHash(hash, input);
  return hash.digest("hex");
}

function addToHash(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addToHash(hash, `${path}/${name}`);
  } else {
    const bytes = readFileSync(full);
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
}

/** A listening socket, so that it is released even if its holder is killed; waiting processes are connected to it. */
async function lock() {
  const path = socketPath();
  for (let isReported = false; ; isReported = true) {
    const acquired = await listen(path);
    if (acquired) return acquired;
    if (!isReported) console.log("Another start is preparing this folder; waiting for it…");
    if (!(await waitForHolder(path))) rmSync(path, { force: true });
  }
}

function socketPath() {
  const name = `stator-prepare-${process.getuid?.() ?? ""}-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

function listen(path) {
  return new Promise((resolve, reject) => {
    const waiting = [];
    const server = createServer((socket) => waiting.push(socket.on("error", () => undefined)));
    const release = () => {
      server.close();
      for (const socket of waiting) socket.destroy();
    };
    server.once("listening", () => resolve({ handle: server._handle.fd, release }));
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(path);
  });
}

/** True once the holder has ended; false if there is no holder, only its socket. */
function waitForHolder(path) {
  return new Promise((resolve) => {
    let reached = false;
    const socket = connect(path, () => {
      reached = true;
    });
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("close", () => resolve(reached));
  });
}
