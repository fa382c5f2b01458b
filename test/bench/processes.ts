/** The measured store runs in separate processes, as in production. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "../harness/free-port.ts";

export interface Listening {
  port: number;
}

export interface RunningStore extends Listening {
  pid: number;
  folder: string;
  admin: { email: string; password: string };
  /** the connection to PostgreSQL */
  connection: pg.PoolConfig;
  /** from the command to the first response */
  startedInMs: number;
  /** resident memory of the store's own processes, in MB */
  memory(): number;
  /** total CPU time of all its processes, including PostgreSQL's, in milliseconds */
  cpu(): number;
  /** the same of its first process alone */
  ownCpu(): number;
  stop(): Promise<void>;
}

const node = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../bin/node-options.json", import.meta.url)), "utf8"),
) as { options: string[]; environment: Record<string, string> };
const main = fileURLToPath(new URL("../../server/main.ts", import.meta.url));
const admin = { email: "admin@stator.example", password: "bench-only-password" };

/** A temporary folder for one benchmark. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "stator-bench-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the store like an operator, on a temporary folder. */
export async function startStore(
  folder: string,
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<RunningStore> {
  const port = await freePort();
  const began = performance.now();
  const store = spawn(process.execPath, [...node.options, ...nodeOptions, main], {
    env: {
      ...node.environment,
      ...process.env,
      NODE_ENV: "production",
      DATA_DIR: folder,
      PORT: String(port),
      RATE_LIMIT: "off",
      LOG_LEVEL: "error",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await lineOf(store, /^Stator is (open|working)/);
  await fetch(`http://127.0.0.1:${port}/readyz`);
  return {
    port,
    folder,
    admin,
    startedInMs: performance.now() - began,
    connection: environment.DATABASE_URL
      ? { connectionString: environment.DATABASE_URL }
      : connectionOf(folder),
    pid: store.pid as number,
    memory: () =>
      [store.pid as number, ...nodesBelow(store.pid as number)].reduce(
        (sum, pid) => sum + residentMb(pid),
        0,
      ),
    cpu: () => cpuOf(store.pid as number),
    ownCpu: () => cpuTimesOf(store.pid as number).own,
    stop: () => end(store),
  };
}

/** Confines a process, its threads and later children to one core. */
export function pinToCore(pid: number, core: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)]);
}

/** Starts one of our own scripts; `ready` is the line that it prints when it is ready. */
export async function startScript(
  name: string,
  parameters: unknown,
): Promise<Listening & { pid: number; cpu: () => number; stop: () => Promise<void> }> {
  const port = await freePort();
  const script = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", fileURLToPath(new URL(name, import.meta.url)), String(port)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  script.stdin?.end(JSON.stringify(parameters));
  await lineOf(script, /ready/);
  const pid = script.pid as number;
  return { port, pid, cpu: () => cpuOf(pid), stop: () => end(script) };
}

/** The connection to the PostgreSQL of a running store's data folder. */
export function connectionOf(folder: string): pg.PoolConfig {
  const password = readFileSync(join(folder, "postgres.password"), "utf8").trim();
  return { host: join(folder, "run", "pg"), port: 5432, user: "stator", database: "stator", password };
}

/** The rows of one statement, on a connection of its own. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  connection: pg.PoolConfig,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function lineOf(child: ChildProcess, pattern: RegExp): Promise<void> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const exited = once(child, "exit").then(() => Promise.reject(new Error("It ended before it was ready.")));
  const found = (async () => {
    for await (const line of lines) if (pattern.test(line)) return;
  })();
  await Promise.race([found, exited]);
  exited.catch(() => {});
  child.stdout?.resume();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

/** The kernel's clock tick in milliseconds, the unit of CPU time. */
const TICK_MS = 10;

/** Of a process and its descendants, including those that have ended, such as closed connections of PostgreSQL. */
export function cpuOf(pid: number): number {
  try {
    const { own, ended } = cpuTimesOf(pid);
    return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own + ended);
  } catch {
    return 0; // it has ended meanwhile
  }
}

function cpuTimesOf(pid: number): { own: number; ended: number } {
  // the name in parentheses may contain anything; user and system time are the 12th and 13th field after it, those of
  // children that ended the next two
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const msOf = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS;
  return { own: msOf(11), ended: msOf(13) };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** The processes of the store below its first one (WORKERS), without PostgreSQL's. */
function nodesBelow(pid: number): number[] {
  return childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/comm`, "utf8").startsWith("node"));
}
