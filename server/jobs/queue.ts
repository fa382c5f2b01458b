/**
 * Runs the jobs of the queue. graphile-worker makes the tables and adds the jobs; its own worker is not used, since a
 * lost connection can leave it waiting for ever or end the process. Here whatever cannot be written is kept in memory
 * and written when the database is back, so that a mail that was sent meanwhile is not sent again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { openWorkerLocks } from "./release-orphaned-jobs.ts";

export interface Job {
  id: number;
  task: string;
  payload: unknown;
  created_at: Date;
}

export interface QueueOptions {
  pool: pg.Pool;
  /** what is done for the jobs of each name; rejects when it is to be tried again later */
  tasks: Record<string, (job: Job) => Promise<void>>;
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
/** Emails are queued without a notification (migration 0026), so the queue is polled. */
const POLL_MS = 250;
/** Jobs that end within so long are written in one statement. */
const BATCH_MS = 5;
const RETRY_MS = 1000;

// Named queues are not used.
const TAKE = `
UPDATE graphile_worker._private_jobs AS job SET attempts = job.attempts + 1, locked_by = $1, locked_at = now()
FROM graphile_worker._private_tasks AS task
WHERE task.id = job.task_id AND job.id = ANY (ARRAY(
  SELECT id FROM graphile_worker._private_jobs
  WHERE is_available AND run_at <= now()
    AND task_id = ANY (ARRAY(SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY ($2)))
  ORDER BY priority, run_at LIMIT $3 FOR UPDATE SKIP LOCKED))
RETURNING job.id, task.identifier AS task, job.payload, job.created_at`;

const COMPLETE = "DELETE FROM graphile_worker._private_jobs WHERE locked_by = $1 AND id = ANY ($2)";

const RETURN = `
UPDATE graphile_worker._private_jobs SET attempts = attempts - 1, locked_by = NULL, locked_at = NULL
WHERE locked_by = $1 AND id = ANY ($2)`;

// the library's own schedule: from three seconds after the first try to six hours after the tenth
const FAIL = `
UPDATE graphile_worker._private_jobs AS job SET last_error = ended.message, locked_by = NULL, locked_at = NULL,
  run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
FROM unnest($2::bigint[], $3::text[]) AS ended (id, message) WHERE job.id = ended.id AND locked_by = $1`;

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
  let stopping = false;
  let wake = () => {};

  async function run(job: Job): Promise<void> {
    try {
      await tasks[job.task]?.(job);
      done.add(job.id);
    } catch (error) {
      report(error, `job ${job.task} ${job.id}`);
      failed.set(job.id, error instanceof Error ? error.message : String(error));
    }
  }

  async function takeJobs(): Promise<void> {
    if (waiting.length > 0 || running.size === AT_ONCE) return;
    const values = [name, Object.keys(tasks), TAKEN_AT_ONCE];
    const { rows } = await pool.query<Job>({ name: "take-jobs", text: TAKE, values });
    waiting.push(...rows);
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

  /** Writes which jobs have ended. What cannot be written is kept for the next time. */
  async function writeEnded(): Promise<void> {
    const ids = [...done];
    if (ids.length > 0) await pool.query({ name: "complete-jobs", text: COMPLETE, values: [name, ids] });
    for (const id of ids) done.delete(id);
    const failures = [...failed];
    if (failures.length === 0) return;
    await pool.query(FAIL, [name, failures.map(([id]) => id), failures.map(([, message]) => message)]);
    for (const [id] of failures) failed.delete(id);
  }

  async function returnWaiting(): Promise<void> {
    if (waiting.length > 0) await pool.query(RETURN, [name, waiting.map(({ id }) => id)]);
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
        await writeEnded();
        await takeJobs();
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
      wake();
      await working;
      await Promise.all(running);
      await Promise.all([writeEnded(), returnWaiting()]).catch((error) => report(error, "the job queue"));
      names.close();
    },
  };
}
