import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DataFolderProblem } from "./folder.ts";
import { CLUSTER_NAME } from "./process.ts";

const SIGNAL_TIMEOUT_MS = 30_000;

/** Also removes a stale postmaster.pid whose process id was reused. Call it only with the folder locked. */
export async function stopOrphan(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    const pid = readPid(file);
    if (pid === undefined || !isAlive(pid)) return;
    const owner = identifyProcess(pid, cluster);
    if (owner === "unknown") return; // PostgreSQL decides
    if (owner === "none") return rmSync(file, { force: true });
    if (owner === "stranger") {
      throw new DataFolderProblem(
        `A PostgreSQL that this store did not start (process ${pid}) is running on ${cluster}: stop it first.`,
      );
    }
    sendSignal(pid, signal);
    const deadline = performance.now() + SIGNAL_TIMEOUT_MS;
    while (isAlive(pid) && readPid(file) === pid && performance.now() < deadline) await pause(20);
  }
}

function readPid(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return pid > 1 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  return sendSignal(pid, 0);
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

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
    return { commandLine: commandLineFromPs(pid) };
  }
}

/** The command line on systems without /proc; empty if the process is gone. */
function commandLineFromPs(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}
