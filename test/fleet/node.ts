/** Nodes of a fleet: processes of the store with their own data folders on one database. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { compileCache } from "../harness/compile-cache.ts";
import { freePort } from "../harness/free-port.ts";

export interface FleetNode {
  url: string;
  port: number;
  /** of its emails */
  outbox: string;
  /** its output */
  output(): string;
  /** Sends SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>;
  /** Ends the process and removes its folder. */
  remove(): Promise<void>;
}

export const admin = { email: "admin@stator.example", password: "first admin's password" };

/** The URL of a test database. */
export function urlOf({ user, password, host, port, database }: pg.PoolConfig): string {
  const place = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgres://${user}:${password}@/${database}?${place}`;
}

/**
 * Starts a node of the release in `folder`, and resolves when it is open; rejects with its output if it ends before.
 */
export async function startNode(
  connection: pg.PoolConfig,
  variables: Record<string, string> = {},
  folder = process.cwd(),
  command = ["--disable-warning=ExperimentalWarning", "server/main.ts"],
): Promise<FleetNode> {
  const dataDir = await mkdtemp(join(tmpdir(), "stator-node-"));
  const port = await freePort();
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      ...compileCache,
      DATA_DIR: dataDir,
      PORT: String(port),
      DATABASE_URL: urlOf(connection),
      DATABASE_CONNECTIONS: "10",
      RATE_LIMIT: "off",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  const remove = async () => {
    end(child, "SIGKILL");
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((opened, fail) => {
      const read = (bytes: Buffer) => {
        output += bytes;
        if (/^Stator is (open|working)/m.test(output)) opened();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("close", () => fail(new Error(output)));
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `http://localhost:${port}`,
    port,
    outbox: join(dataDir, "outbox"),
    output: () => output,
    stop() {
      end(child, "SIGTERM");
      return exited;
    },
    remove,
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}
