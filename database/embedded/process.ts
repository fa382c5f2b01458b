import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { namedCause } from "./cluster.ts";
import type { ClusterLocation } from "./place.ts";

/** The mark by which a PostgreSQL started here is known again; also shown in lists of processes. */
export const CLUSTER_NAME = "stator";

/** With a socket, the port is only a part of its name. */
export const PORT = 5432;

/** The only role may have all of them. */
export const MAX_CONNECTIONS = 100;

const LOG_LIMIT_BYTES = 1024 * 1024;

/** PostgreSQL's configuration parameters. */
export type Settings = Record<string, string>;

const SETTINGS: Settings = {
  listen_addresses: "",
  port: String(PORT),
  unix_socket_permissions: "0700",
  cluster_name: CLUSTER_NAME,
  max_connections: String(MAX_CONNECTIONS),
  shared_buffers: "128MB",
  max_wal_size: "512MB",
  random_page_cost: "1.1", // a small machine of today has an SSD
  jit: "off", // the store's statements are short; compiling them costs more than it saves
  fsync: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  // Statements that fail are told to the store, which logs them; the file is for PostgreSQL's own affairs.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/**
 * Stands between the store and PostgreSQL, which would outlive a killed store: waits for the end of its standard
 * input, which comes however the store ends, then has PostgreSQL shut down fast (INT; said again because a server
 * that is only just starting does not hear it). The signals of a terminal or a service manager are not for us:
 * the store decides when the database goes.
 */
const KEEPER = `
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
exit $status
`;

/** What a shell gives as the status of a process that got signal 9. */
const KILLED = 128 + 9;

/** A running PostgreSQL with its keeper. */
export interface ServerProcess {
  /** Settles when it has ended, with how, in words. */
  ended: Promise<string>;
  /** True until then. */
  alive(): boolean;
  /** Shuts down fast: running statements are cut, nothing that was acknowledged is lost. */
  stop(): Promise<string>;
}

/** Starts PostgreSQL in a session of its own, so that a terminal's Ctrl-C does not reach it. */
export function launch(place: ClusterLocation, more: Settings = {}): ServerProcess {
  const { path, handle, from } = openLog(place.folder);
  const settings = { ...SETTINGS, unix_socket_directories: `"${place.socket}"`, ...more };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = [join(place.programs, "postgres"), "-D", place.cluster, ...options];
  const [command = "sh", ...rest] = [...place.account.prefix, "sh", "-c", KEEPER, "sh", ...server];
  const child = spawn(command, rest, {
    ...place.account.spawn,
    env: place.environment,
    cwd: "/",
    detached: true,
    stdio: ["pipe", handle, handle],
  });
  closeSync(handle);
  const ended = waitForExit(child, () => readFileSync(path).subarray(from).toString());
  return {
    ended,
    alive: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      child.stdin?.end();
      return ended;
    },
  };
}

function waitForExit(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (status, signal) => {
      if (signal) done(`its keeper got ${signal}`);
      else if (status === KILLED) done("it was killed");
      else done(namedCause(log()) ?? `exit status ${status}`);
    });
    child.stdin?.on("error", () => undefined); // ending a pipe whose reader is gone; the exit tells the rest
  });
}

/** Opens the log to append to; a big one is put aside first, so that there are never more than two. */
function openLog(folder: string): { path: string; handle: number; from: number } {
  const path = join(folder, "postgres.log");
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  const handle = openSync(path, "a", 0o600);
  return { path, handle, from: fstatSync(handle).size };
}
