/**
 * Runs the jobs of the queue. graphile-worker makes the tables and adds the jobs; its own worker is not used, since a
 * lost connection can leave it waiting for ever or end the process. Here whatever cannot be written is kept in memory
 * and written when the database is back, so that a mail that was sent meanwhile is not sent again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { completeJobs, failJobs, type Job, returnJobs, takeJobs } from "../../database/job-queue.ts";
import { openWorkerLocks } from "../../database/worker-locks.ts";

export interface QueueOptions {
  pool: pg.Pool;
  /** what is done for the jobs of each name; rejects when it is to be tried again later. The signal says when to stop. */
  tasks: Record<string, (job: Job, signal: AbortSignal) => Promise<void>>;
  report: (error: unknown, what: string) => void;
}

export interface Queue {
  /** Unlocks the jobs of processes that are gone. */
  freeDead(): Promise<string[]>;
  /** Waits for the jobs that are running. */
  stop(): Promise<void>;
}

/** As many as the SMTP client has connections. */
const AT_ONCE = 5;
/** Taking and completing many at once makes a mail cost little while a crowd of buyers is at work. */
const TAKEN_AT_ONCE = 50;
/** Emails are queued without a notification (migration 0041), so the queue is polled. */
const POLL_MS = 250;
/** Jobs that end within so long are written in one statement. */
const BATCH_MS = 5;
const RETRY_MS = 1000;

/** Runs jobs until `stop`. */
export function startQueue({ pool, tasks, report }: QueueOptions): Queue {
  const name = `store-${randomUUID()}`;
  const names = openWorkerLocks(pool);
  names.add(name);
  /** taken, and not started yet */
  const waiting: Job[] = [];
  const running = new Set<Promise<void>>();
  const done = new Set<number>();
  const failed = new Map<number, string>();
  const stopSignal = new AbortController();
  let stopping = false;
  let wake = () => {};

  async function run(job: Job): Promise<void> {
    try {
      await tasks[job.task]?.(job, stopSignal.signal);
      done.add(job.id);
    } catch (error) {
      // goes on in another process
      if (stopSignal.signal.aborted) return void waiting.push(job);
      report(error, `job ${job.task} ${job.id}`);
      failed.set(job.id, error instanceof Error ? error.message : String(error));
    }
  }

  async function takeMore(): Promise<void> {
    if (waiting.length > 0 || running.size === AT_ONCE) return;
    waiting.push(...(await takeJobs(pool, name, Object.keys(tasks), TAKEN_AT_ONCE)));
    startNext();
  }

  function startNext(): void {
    while (running.size < AT_ONCE && !stopping) {
      const job = waiting.shift();
      if (!job) return;
      const work = run(job).finally(() => {
        running.delete(work);
        startNext();
        wake();
      });
      running.add(work);
    }
  }

  /** Records which jobs have ended. What cannot be recorded now is recorded next time. */
  async function recordEnded(): Promise<void> {
    const ids = [...done];
    if (ids.length > 0) await completeJobs(pool, name, ids);
    for (const id of ids) done.delete(id);
    const errors = new Map(failed);
    if (errors.size === 0) return;
    await failJobs(pool, name, errors);
    for (const id of errors.keys()) failed.delete(id);
  }

  async function returnWaiting(): Promise<void> {
    const ids = waiting.map(({ id }) => id);
    if (ids.length > 0) await returnJobs(pool, name, ids);
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function work(): Promise<void> {
    while (!stopping) {
      try {
        await recordEnded();
        await takeMore();
        if (done.size + failed.size === 0 && !stopping) await sleep(POLL_MS);
        await pause(BATCH_MS);
      } catch (error) {
        report(error, "the job queue");
        if (!stopping) await sleep(RETRY_MS);
      }
    }
  }

  const working = work();
  return {
    freeDead: () => names.freeDead(),
    async stop() {
      stopping = true;
      stopSignal.abort();
      wake();
      await working;
      await Promise.all(running);
      await Promise.all([recordEnded(), returnWaiting()]).catch((error) => report(error, "the job queue"));
      names.close();
    },
  };
}
