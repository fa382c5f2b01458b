/**
 * graphile-worker's own worker is not used: a lost connection can leave it waiting forever or end the process. Results
 * that cannot be recorded are kept until the database is back, so that an email is not sent again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import {
  completeJobs,
  failJobs,
  type Job,
  type JobFailure,
  returnJobs,
  returnUnknownJobs,
  takeJobs,
} from "../../database/job-queue.ts";
import { isDiskFull } from "../../database/unavailability.ts";
import { openWorkerLock } from "../../database/worker-lock.ts";

type Task = (job: Job, signal: AbortSignal) => Promise<void>;

export interface QueueOptions {
  pool: pg.Pool;
  direct: pg.Pool;
  /** by job name; a task that rejects is retried later. The signal tells it to stop. */
  tasks: Record<string, Task>;
  /** those that may take minutes, and leave some of the slots to the others */
  longTasks?: Record<string, Task>;
  report: (error: unknown, what: string) => void;
  trace?: ((job: Job, run: () => Promise<void>) => Promise<void>) | undefined;
}

export interface Queue {
  releaseOrphanedJobs(): Promise<string[]>;
  /** Keeps its lock until `lockUsers` have ended. */
  stop(lockUsers?: Promise<unknown>): Promise<void>;
}

/** The number of connections of the SMTP client. */
const CONCURRENCY = 5;
const LONG_CONCURRENCY = 2;
const BATCH_SIZE = 50;
/** Emails are queued without a notification (migration 0041), which would cost a statement for each job. */
const POLL_MS = 250;
/** Jobs that end within this time are recorded in one statement. */
const BATCH_MS = 5;
const RETRY_MS = 1000;
/** A statement whose response was lost has ended by then. */
const LOST_MS = 60_000;

export function startQueue(options: QueueOptions): Queue {
  const { pool, direct, tasks, longTasks = {}, report, trace = (_job, run) => run() } = options;
  const name = `store-${randomUUID()}`;
  const lock = openWorkerLock(direct, name);
  /** whose end is not recorded yet */
  const taken = new Set<number>();
  const waiting: Job[] = [];
  const running = new Set<Promise<void>>();
  let longRunning = 0;
  const done = new Set<number>();
  const failed = new Map<number, JobFailure>();
  const stopController = new AbortController();
  let pollAt = 0;
  let longPollAt = 0;
  let lostUntil = 0;
  let stopping = false;
  let wake = () => {};

  async function runJob(job: Job): Promise<void> {
    try {
      await trace(job, async () => (tasks[job.task] ?? longTasks[job.task])?.(job, stopController.signal));
      done.add(job.id);
    } catch (error) {
      // continues in another process
      if (stopController.signal.aborted) return void waiting.push(job);
      report(error, `job ${job.task} ${job.id} failed`);
      const reason = error instanceof Error ? error.message : String(error);
      const isFull = isDiskFull(error);
      const message = isFull ? `The disk is full: ${reason}` : reason;
      // PostgreSQL cannot store a null character, which a server's response may have
      failed.set(job.id, { message: message.replaceAll("\0", ""), isDiskFull: isFull });
    }
  }

  async function takeNextJobs(): Promise<void> {
    const now = performance.now();
    if (waiting.length > 0 || running.size === CONCURRENCY || now < pollAt) return;
    const isLongDue = now >= longPollAt;
    if (isLongDue) longPollAt = now + POLL_MS;
    const short = { tasks: Object.keys(tasks), limit: BATCH_SIZE };
    // not with each batch: among 60,000 emails that wait, looking for them takes 22 ms instead of 3
    const long = { tasks: Object.keys(longTasks), limit: isLongDue ? LONG_CONCURRENCY - longRunning : 0 };
    // others leave them alone while this process holds its lock
    if (now < lostUntil) await returnUnknownJobs(pool, name, [...taken]);
    const jobs = await takeJobs(pool, name, short, long).catch((error) => {
      lostUntil = performance.now() + LOST_MS;
      throw error;
    });
    pollAt = jobs.length >= BATCH_SIZE ? 0 : performance.now() + POLL_MS;
    for (const { id } of jobs) taken.add(id);
    waiting.push(...jobs);
    startNext();
  }

  function startNext(): void {
    while (running.size < CONCURRENCY && !stopping) {
      const job = waiting.shift();
      if (!job) return;
      const long = job.task in longTasks ? 1 : 0;
      longRunning += long;
      const execution = runJob(job).finally(() => {
        running.delete(execution);
        longRunning -= long;
        startNext();
        wake();
      });
      running.add(execution);
    }
  }

  /** What fails is retried at the next call. */
  async function recordEnded(): Promise<void> {
    const ids = [...done];
    if (ids.length > 0) await completeJobs(pool, name, ids);
    for (const id of ids) forget(done, id);
    const failures = new Map(failed);
    if (failures.size === 0) return;
    await failJobs(pool, name, failures);
    for (const id of failures.keys()) forget(failed, id);
  }

  function forget(ended: Set<number> | Map<number, JobFailure>, id: number): void {
    ended.delete(id);
    taken.delete(id);
  }

  async function returnWaiting(): Promise<void> {
    const ids = waiting.map(({ id }) => id);
    if (ids.length > 0) await returnJobs(pool, name, ids);
  }

  async function settle(): Promise<void> {
    await Promise.all([recordEnded(), returnWaiting()]).catch((error) =>
      report(error, "the job queue failed"),
    );
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

  async function poll(): Promise<void> {
    while (!stopping) {
      try {
        await recordEnded();
        await takeNextJobs();
        const untilPoll = pollAt - performance.now();
        if (done.size + failed.size === 0 && !stopping) await sleep(untilPoll > 0 ? untilPoll : POLL_MS);
        await pause(BATCH_MS);
      } catch (error) {
        report(error, "the job queue failed");
        if (!stopping) await sleep(RETRY_MS);
      }
    }
  }

  const polling = poll();
  return {
    releaseOrphanedJobs: () => lock.releaseOrphanedJobs(),
    async stop(lockUsers) {
      stopping = true;
      stopController.abort();
      wake();
      await polling;
      await settle();
      // one by one: the process ends before a job that takes minutes
      while (running.size > 0) {
        await Promise.race(running);
        await settle();
      }
      await lockUsers;
      lock.close();
    },
  };
}
