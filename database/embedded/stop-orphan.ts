import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DataFolderProblem } from "./folder.ts";
import { CLUSTER_NAME } from "./process.ts";

/** How long a shutdown may take before the next stronger signal. */
const SIGNAL_TIMEOUT_MS = 30_000;

/**
 * Stops a PostgreSQL that a killed store left running on this data, and removes a stale postmaster.pid whose process
 * id has been reused (PostgreSQL would take that process for itself). Call it only with the folder locked.
 * @throws DataFolderProblem if another user started a PostgreSQL on this data
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    const pid = readPid(file);
    if (pid === undefined || !isAlive(pid)) return;
    const user = identifyProcess(pid, cluster);
    if (user === "unknown") return; // PostgreSQL decides
    if (user === "none") return rmSync(file, { force: true });
    if (user === "stranger") {
      throw new DataFolderProblem(
        `A PostgreSQL that this store did not start (process ${pid}) is running on ${cluster}: stop it first.`,
      );
    }
    send(pid, signal);
    const deadline = Date.now() + SIGNAL_TIMEOUT_MS;
    while (isAlive(pid) && readPid(file) === pid && Date.now() < deadline) await pause(20);
  }
}

function readPid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return pid > 1 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  return send(pid, 0);
}

/** False if the process does not exist or is not ours to signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether the process is our PostgreSQL on this data, another one on it, none on it, or unknown. */
function identifyProcess(pid: number, cluster: string): "ours" | "stranger" | "none" | "unknown" {
  const { commandLine, folder } = inspect(pid);
  if (commandLine.includes(cluster) || folder === cluster) {
    return commandLine.includes(`cluster_name=${CLUSTER_NAME}`) ? "ours" : "stranger";
  }
  return folder === undefined && commandLine.includes("postgres") ? "unknown" : "none";
}

function inspect(pid: number): { commandLine: string; folder?: string } {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    // A zombie has no command line, and its folder cannot be read.
    return commandLine === "" ? { commandLine } : { commandLine, folder: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return { commandLine: listed(pid) };
  }
}

/** The command line on systems without /proc; empty if the process is gone. */
function listed(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}
