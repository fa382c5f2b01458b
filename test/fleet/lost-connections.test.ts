/**
 * Connections to a machine that is lost, which nobody closes: the store and PostgreSQL find out by themselves. The
 * packets are dropped in a network of the test's own, which only root can make.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

function canDropPackets(): boolean {
  try {
    execFileSync("unshare", ["--net", "iptables", "-A", "INPUT", "-p", "tcp", "-j", "DROP"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

test.runIf(canDropPackets())(
  "what a lost machine had locked or promised is given up within a minute",
  {
    timeout: 120_000,
  },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "stator-lost-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const script = join(import.meta.dirname, "lose-connections.ts");
    const options = ["--net", process.execPath, "--disable-warning=ExperimentalWarning", script, folder];
    const { stdout } = await promisify(execFile)("unshare", options, { timeout: 100_000 });
    expect(stdout.trim().split("\n").sort()).toEqual([
      "the listener noticed",
      "the lock was released",
      "the query was rejected",
    ]);
  },
);
