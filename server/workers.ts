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

const RESTART_MS = 500;

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
    // a process that the system could not start does not exit
    worker.on("error", (error) => {
      if (worker.process.pid !== undefined || stopping || worker === starting) return;
      print(`A process could not be started: ${error.message}; trying again.`);
      forkLater(jobs);
    });
    return worker;
  };
  function forkLater(jobs: boolean): void {
    setTimeout(() => {
      if (stopping) return;
      try {
        fork(jobs);
      } catch (error) {
        print(`A process could not be started: ${(error as Error).message}; trying again.`);
        forkLater(jobs);
      }
    }, RESTART_MS);
  }
  let starting: Worker | undefined;
  // registered first: a process may exit while the next ones start
  cluster.on("exit", (worker, code, signal) => {
    if (stopping || worker === starting) return;
    print(`Process ${worker.process.pid} ended (${signal ?? code}); replacing it.`);
    forkLater(worker.id === jobsWorkerId);
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
    worker.once("error", ({ message }) =>
      reject(new ExitedAtStart(`A process could not be started: ${message}`)),
    );
  });
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
