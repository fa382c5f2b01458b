/** Several processes on one port. */
import cluster, { type Worker } from "node:cluster";
import type pg from "pg";
import type { Config } from "./config.ts";

/**
 * Starts `WORKERS` processes, one after the other so that only the first prepares the database, and starts a
 * new one where one dies. The answer stops them all.
 */
export async function startWorkers(
  config: Config,
  connection: pg.PoolConfig,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  let stopping = false;
  const fork = () => cluster.fork({ STATOR_CONNECTION: JSON.stringify(connection) });
  for (let count = 0; count < config.WORKERS; count += 1) await listening(fork());
  cluster.on("exit", (worker, code, signal) => {
    if (stopping) return;
    say(`Process ${worker.process.pid} ended (${signal ?? code}); starting another one.`);
    setTimeout(() => stopping || fork(), 500);
  });
  return async () => {
    stopping = true;
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && ended(worker)));
  };
}

function listening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("listening", () => resolve());
    worker.once("exit", () => reject(new Error("A process of the store ended while it started.")));
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
