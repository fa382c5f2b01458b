/**
 * The job queue's worker, kept running: when the database goes away in the moment that a job ends, the library
 * gives its worker up. Then another one is started; what the first had in hand is done by the next.
 */
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { lockWorkerNames, type WorkerNames } from "./dead-workers.ts";

export interface QueueOptions {
  pool: pg.Pool;
  tasks: TaskList;
  /** what is done at which time of the day, as a crontab */
  crontab: string;
  report: (error: unknown, what: string) => void;
}

export interface Queue {
  /** Lets go of the jobs of workers that are gone. */
  freeDead(): Promise<string[]>;
  /** Waits for what is in hand. */
  stop(): Promise<void>;
}

/** Failures of jobs are reported, with their job; the library's own chatter is not for the operator. */
export const quiet = new Logger(() => () => {});
const RESTART_PAUSE_MS = 1000;
const FETCHED_AT_ONCE = 50;
const GATHERED_MS = 5;
/** Long enough for a worker that gives up to end the jobs that it has in hand. */
const GIVEN_UP_MS = 5000;

/** The library's worker, and when it is over. */
interface Work {
  runner: Runner;
  ended: Promise<void>;
}

/** Starts a worker and keeps one running until `stop`. */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const names = lockWorkerNames(options.pool);
  const stopping = new AbortController();
  let work: Work | undefined = await startWork(options, names);
  const keeping = keep();

  async function keep(): Promise<void> {
    while (work && !stopping.signal.aborted) {
      const why = await work.ended.then(
        () => new Error("the worker ended by itself"),
        (error: unknown) => error,
      );
      if (stopping.signal.aborted) return;
      options.report(why, "the job queue");
      work = undefined;
      while (!work && !stopping.signal.aborted) {
        await pause(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (stopping.signal.aborted) return;
        work = await startWork(options, names).catch((error) => {
          options.report(error, "the job queue");
          return undefined;
        });
      }
    }
  }

  return {
    freeDead: () => names.freeDead(),
    async stop() {
      stopping.abort();
      // one that has just ended by itself has nothing left to stop
      await work?.runner.stop().catch(() => undefined);
      await keeping;
      names.close();
    },
  };
}

async function startWork(options: QueueOptions, names: WorkerNames): Promise<Work> {
  const events: WorkerEvents = new EventEmitter();
  let name: string | undefined;
  events.on("pool:create", ({ workerPool }) => {
    name = workerPool.id;
    names.add(name);
  });
  events.on("job:error", ({ job, error }) => options.report(error, `job ${job.task_identifier} ${job.id}`));
  const runner = await run({
    pgPool: options.pool,
    taskList: options.tasks,
    crontab: options.crontab,
    events,
    pollInterval: 500,
    noHandleSignals: true,
    logger: quiet,
    preset: {
      worker: {
        concurrentJobs: 4,
        // many jobs are fetched, and noted as ended, in one transaction: a mail costs a crowd of buyers little.
        // Without batches, one that cannot be noted as ended is an unhandled rejection, which ends the process
        localQueue: { size: FETCHED_AT_ONCE },
        completeJobBatchDelay: GATHERED_MS,
        failJobBatchDelay: 0,
      },
    },
  });
  const ended = endOf(runner, events);
  ended.catch(() => undefined).finally(() => name && names.forget(name));
  return { runner, ended };
}

/**
 * Ends with the runner, or some time after it gave up: when the database goes away while two jobs end, the library
 * counts one of them twice and waits for ever for the sum to be right.
 */
function endOf(runner: Runner, events: WorkerEvents): Promise<void> {
  return new Promise((done, fail) => {
    runner.promise.then(done, fail);
    events.once("pool:fatalError", ({ error }) => setTimeout(() => fail(error), GIVEN_UP_MS));
  });
}
