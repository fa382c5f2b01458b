import cluster, { type Worker } from "node:cluster";
import type pg from "pg";
import { connectTo } from "../database/hosts.ts";
import type { Config } from "./config.ts";
import { listenForScrapes } from "./metrics/listener.ts";
import { readAllProcesses } from "./metrics/metrics.ts";

export interface WorkerShare {
  connection: pg.PoolConfig;
  jobs: boolean;
}

/** Only the first prepares the database, so the others wait; it alone runs jobs, or two would wake each other. */
export async function startWorkers(
  config: Config,
  connection: pg.PoolConfig,
  print: (line: string) => void,
): Promise<() => Promise<void>> {
  // each process accepts connections itself: one handed over to a dying process would never get a response
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let stopping = false;
  let jobsWorkerId: number | undefined;
  const fork = (jobs: boolean) => {
    const share: WorkerShare = { connection, jobs };
    // one connection at a time, or the first process to wake accepts them all
    const worker = cluster.fork({ STATOR_SHARE: JSON.stringify(share), UV_TCP_SINGLE_ACCEPT: "1" });
    if (jobs) jobsWorkerId = worker.id;
    return worker;
  };
  let starting: Worker | undefined;
  // registered first: a process may exit while the next ones start
  cluster.on("exit", (worker, code, signal) => {
    if (stopping || worker === starting) return;
    print(`Process ${worker.process.pid} ended (${signal ?? code}); replacing it.`);
    setTimeout(() => stopping || fork(worker.id === jobsWorkerId), 500);
  });
  let closeMetrics = async () => {};
  const stop = async () => {
    stopping = true;
    await closeMetrics();
    await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stopWorker(worker)));
  };
  try {
    if (config.METRICS_PORT !== undefined) {
      closeMetrics = await listenForScrapes(config, readAllProcesses(), (error) =>
        print(`The metrics: ${error}`),
      );
    }
    for (let count = 0; count < config.WORKERS; count += 1) {
      starting = fork(count === 0);
      await waitUntilListening(starting);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  starting = undefined;
  return stop;
}

export function readWorkerShare({ DATABASE_URL }: Config): WorkerShare {
  const { connection, jobs } = JSON.parse(process.env.STATOR_SHARE ?? "{}") as WorkerShare;
  // functions cannot be sent between processes
  return { connection: { ...connection, ...(DATABASE_URL && connectTo(DATABASE_URL)) }, jobs };
}

export class ExitedAtStart extends Error {}

function waitUntilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once("listening", () => resolve());
    worker.once("exit", () => reject(new ExitedAtStart("A process of the store ended while it started.")));
  });
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
