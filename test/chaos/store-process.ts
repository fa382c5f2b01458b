/** A store in its own process, to be killed: started like `npm start`, in a data folder that survives. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { vi } from "vitest";
import { findRunningServer } from "../../database/embedded/running.ts";
import { compileCache } from "../harness/compile-cache.ts";
import { freePort } from "../harness/free-port.ts";

export interface StoreProcess {
  url: string;
  dataDir: string;
  admin: { email: string; password: string };
  start(): Promise<void>;
  /** whether it is running */
  isAlive(): boolean;
  /** SIGKILL to the store. Its PostgreSQL ends with it. */
  kill(): Promise<void>;
  /** the ids of its processes that serve requests */
  workers(): number[];
  /**
   * SIGKILL to one of the store's two processes, alternately, starting with the one that sends emails; the store
   * replaces it.
   */
  killWorker(): void;
  /** SIGKILL to PostgreSQL; the store restarts it. */
  killDatabase(): void;
  /** SIGKILL to one of PostgreSQL's connections: PostgreSQL closes all others and recovers by itself. */
  crashDatabase(): Promise<void>;
  /** SIGTERM, and waits. */
  stop(): Promise<void>;
  /** Queries the running database directly. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  /** a connection of the test's own, to hold locks with */
  connect(): Promise<pg.Client>;
  /** how many processes have the data folder in their command line */
  processes(): number;
  remove(): Promise<void>;
}

const admin = { email: "admin@stator.example", password: "first admin's password" };

/** A user of the machine. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** `workers` is the number of processes; `variables` are further environment variables; `account` is that of the store. */
export async function createStoreProcess(
  workers = 2,
  variables: Record<string, string> = {},
  account: Account = {},
): Promise<StoreProcess> {
  const dataDir = variables.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "stator-chaos-")));
  const port = await freePort();
  let store: ChildProcess | undefined;
  let exitExpected = false;
  let workersKilled = 0;
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMIT: "off",
    SAMPLE_DATA: "off",
    WORKERS: String(workers),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: "silent",
    // another user may not read it
    ...(account.uid === undefined && compileCache),
    ...variables,
  };
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((done) => {
      if (!store || !isAlive()) return done();
      exitExpected = true;
      store.once("exit", () => done());
      store.kill(signal);
    });
  const isAlive = () => store !== undefined && store.exitCode === null && store.signalCode === null;
  const connect = async () => {
    const connection = await findRunningServer(dataDir);
    if (!connection) throw new Error("no database is running");
    const client = new pg.Client(connection);
    client.on("error", () => undefined); // it ends with the killed store
    await client.connect();
    return client;
  };
  const query = async <Row extends object>(statement: string, values: unknown[] = []) => {
    const client = await connect();
    try {
      return (await client.query(statement, values)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  return {
    url: `http://localhost:${port}`,
    dataDir,
    admin,
    start: () =>
      new Promise((done, fail) => {
        const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
          env: environment,
          ...account,
          stdio: ["ignore", "pipe", "pipe"],
        });
        store = child;
        let output = "";
        const listen = (bytes: Buffer) => {
          output += bytes;
          if (output.includes("Stator is open")) done();
        };
        child.stdout.on("data", listen);
        child.stderr.on("data", listen);
        exitExpected = false;
        child.once("exit", (code) => {
          fail(new Error(`the store ended with ${code}: ${output}`));
          if (!exitExpected) console.error(`The store exited unexpectedly with ${code}:\n${output}`);
        });
      }),
    isAlive,
    kill: () => end("SIGKILL"),
    workers: () => workersOf(store?.pid ?? 0),
    killWorker: () => process.kill(workerOf(store?.pid ?? 0, workersKilled++ % 2 === 0), "SIGKILL"),
    killDatabase: () => process.kill(postmasterOf(dataDir), "SIGKILL"),
    async crashDatabase() {
      const findBackend = () =>
        query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
           ORDER BY random() LIMIT 1`,
        );
      // an earlier crash may reset the connection
      const [backend] = await vi.waitFor(findBackend, { timeout: 10_000 });
      if (backend) process.kill(backend.pid, "SIGKILL");
    },
    stop: () => end("SIGTERM"),
    connect,
    query,
    processes: () => processesOn(dataDir),
    async remove() {
      await end("SIGKILL");
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

/** The processes of the store `pid` that serve requests. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
  return children.map(Number).filter((id) => isWorker(id));
}

function isWorker(id: number): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8").includes("server/main.ts");
  } catch {
    return false; // it has ended meanwhile
  }
}

/** The one that also runs jobs, or another one. */
function workerOf(pid: number, withJobs: boolean): number {
  return Number(
    workersOf(pid).find((id) => readFileSync(`/proc/${id}/environ`, "utf8").includes(`"jobs":${withJobs}`)),
  );
}

function processesOn(dataDir: string): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return ids.filter((id) => {
    try {
      const [command, environment] = ["cmdline", "environ"].map((file) =>
        readFileSync(`/proc/${id}/${file}`, "utf8"),
      );
      return (
        command?.includes(dataDir) || (command?.includes("server/main.ts") && environment?.includes(dataDir))
      );
    } catch {
      return false; // it has ended meanwhile, or belongs to another user
    }
  }).length;
}
