import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { namedCause } from "./cluster.ts";
import type { ClusterLocation } from "./location.ts";

export const CLUSTER_NAME = "stator";

/** With a socket, the port is only part of its name. */
export const PORT = 5432;

/** The single role may use all of them. */
export const MAX_CONNECTIONS = 100;

const LOG_LIMIT_BYTES = 1024 * 1024;

export type Settings = Record<string, string>;

const SETTINGS: Settings = {
  listen_addresses: "",
  port: String(PORT),
  unix_socket_permissions: "0700",
  cluster_name: CLUSTER_NAME,
  max_connections: String(MAX_CONNECTIONS),
  shared_buffers: "128MB",
  max_wal_size: "512MB",
  random_page_cost: "1.1", // SSDs
  jit: "off", // short statements: compiling costs more than it saves
  max_parallel_workers_per_gather: "0", // as with jit: 100,000 products by stock take 66 ms, and 120 with two workers
  fsync: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  // The store logs failed statements itself.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/**
 * Outlives a killed store and stops its PostgreSQL. INT is repeated because a starting server ignores it. The signals
 * of a terminal or service manager are ignored: the store decides when the database stops.
 */
const KEEPER_SCRIPT = `
trap '' HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{
  while read -r _; do :; done <&3
  while kill -INT $server; do sleep 0.1 || sleep 1; done
} 2>/dev/null & watcher=$!
exec 3<&-
wait $server; status=$?
kill -KILL $watcher 2>/dev/null
wait $watcher 2>/dev/null
exit $status
`;

const KILLED = 128 + 9;

export interface ServerProcess {
  ended: Promise<string>;
  alive(): boolean;
  /** Fast shutdown: running statements are aborted, nothing acknowledged is lost. */
  stop(): Promise<string>;
}

/** In its own session, so that a terminal's Ctrl-C does not reach it. */
export function launch(location: ClusterLocation, overrides: Settings = {}): ServerProcess {
  const { path, handle, startOffset } = openLog(location.folder);
  const settings = { ...SETTINGS, unix_socket_directories: `"${location.socket}"`, ...overrides };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const serverCommand = [join(location.programs, "postgres"), "-D", location.cluster, ...options];
  const [command = "sh", ...rest] = [
    ...location.account.prefix,
    "sh",
    "-c",
    KEEPER_SCRIPT,
    "sh",
    ...serverCommand,
  ];
  const child = spawn(command, rest, {
    ...location.account.spawn,
    env: location.environment,
    cwd: "/",
    detached: true,
    stdio: ["pipe", handle, handle],
  });
  closeSync(handle);
  const ended = waitForExit(child, () => readFrom(path, startOffset));
  return {
    ended,
    alive: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      child.stdin?.end();
      return ended;
    },
  };
}

/** An operator may have removed the log while PostgreSQL ran. */
function readFrom(path: string, offset: number): string {
  return existsSync(path) ? readFileSync(path).subarray(offset).toString() : "";
}

function waitForExit(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => {
      if (signal) resolve(`its keeper got ${signal}`);
      else if (status === KILLED) resolve("it was killed");
      else resolve(namedCause(log()) ?? `exit status ${status}`);
    });
    child.stdin?.on("error", () => undefined); // the reader of the pipe is gone; the exit status tells the rest
  });
}

function openLog(folder: string): { path: string; handle: number; startOffset: number } {
  const path = join(folder, "postgres.log");
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  const handle = openSync(path, "a", 0o600);
  return { path, handle, startOffset: fstatSync(handle).size };
}
