/** PgBouncer in front of a test database. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { changeOwner } from "../../database/embedded/account.ts";
import { freePort } from "../harness/free-port.ts";
import { locationIn } from "./cluster-location.ts";

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));

/** Whether PgBouncer is installed. */
export const hasPgBouncer = program !== undefined;

export interface PgBouncer {
  /** DATABASE_URL in transaction mode */
  transactions: string;
  /** DATABASE_URL in session mode */
  sessions: string;
  stop(): Promise<void>;
}

/** `poolSize` is the number of sessions with PostgreSQL that all clients share. */
export async function startPgBouncer(connection: pg.PoolConfig, poolSize: number): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "stator-pgbouncer-"));
  const { account, environment, socket } = locationIn(folder);
  const port = await freePort();
  const { host, user, password, database } = connection;
  const users = join(socket, "users.txt");
  await writeFile(users, `"${user}" "${password}"\n`);
  const server = `host=${host} port=${connection.port} dbname=${database}`;
  const settings = join(socket, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
transactions = ${server} pool_mode=transaction connect_query='SET statement_timeout = ''15s'''
sessions = ${server} pool_mode=session
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  );
  changeOwner(account, socket);
  const [command = "", ...args] = [...account.prefix, program as string, settings];
  const child = spawn(command, args, {
    ...account.spawn,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (bytes) => (output += bytes));
  const exited = new Promise((done) => child.once("exit", done));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const urlOf = (name: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
  for (let tries = 0; child.exitCode === null && tries < 300; tries += 1) {
    if (await responds(urlOf("transactions")))
      return { transactions: urlOf("transactions"), sessions: urlOf("sessions"), stop };
    await new Promise((next) => setTimeout(next, 100));
  }
  await stop();
  throw new Error(`PgBouncer did not open: ${output}`);
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => undefined); // the query reports it
  try {
    await client.connect();
    await client.query("SELECT");
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
