import type { Queryable } from "./client.ts";
import { retryAfter } from "./unavailability.ts";

export interface Job {
  id: number;
  task: string;
  payload: unknown;
  created_at: Date;
}

export interface TaskGroup {
  tasks: string[];
  limit: number;
}

/** Each of the two groups of tasks has its own limit. */
export async function takeJobs(
  db: Queryable,
  worker: string,
  first: TaskGroup,
  second: TaskGroup,
): Promise<Job[]> {
  const { rows } = await db.query<Job>({
    name: "take-jobs",
    text: `
UPDATE graphile_worker._private_jobs AS job SET attempts = job.attempts + 1, locked_by = $1, locked_at = now()
FROM graphile_worker._private_tasks AS task
WHERE task.id = job.task_id AND job.id = ANY (ARRAY(
  SELECT id FROM graphile_worker._private_jobs
  WHERE is_available AND run_at <= now()
    AND task_id = ANY (ARRAY(SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY ($2)))
  ORDER BY priority, run_at LIMIT $3 FOR UPDATE SKIP LOCKED) || ARRAY(
  SELECT id FROM graphile_worker._private_jobs
  WHERE is_available AND run_at <= now()
    AND task_id = ANY (ARRAY(SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY ($4)))
  ORDER BY priority, run_at LIMIT $5 FOR UPDATE SKIP LOCKED))
RETURNING job.id, task.identifier AS task, job.payload, job.created_at`,
    values: [worker, first.tasks, first.limit, second.tasks, second.limit],
  });
  return rows;
}

export async function completeJobs(db: Queryable, worker: string, ids: number[]): Promise<void> {
  await db.query({
    name: "complete-jobs",
    text: "DELETE FROM graphile_worker._private_jobs WHERE locked_by = $1 AND id = ANY ($2)",
    values: [worker, ids],
  });
}

/** Unlocks jobs that were taken but not started; the attempt does not count. */
export async function returnJobs(db: Queryable, worker: string, ids: number[]): Promise<void> {
  await db.query(
    `UPDATE graphile_worker._private_jobs SET attempts = attempts - 1, locked_by = NULL, locked_at = NULL
     WHERE locked_by = $1 AND id = ANY ($2)`,
    [worker, ids],
  );
}

/** Unlocks jobs that `worker` took without learning of it; the attempt does not count. */
export async function returnUnknownJobs(db: Queryable, worker: string, known: number[]): Promise<void> {
  await db.query(
    `UPDATE graphile_worker._private_jobs SET attempts = attempts - 1, locked_by = NULL, locked_at = NULL
     WHERE locked_by = $1 AND id <> ALL ($2)`,
    [worker, known],
  );
}

export interface JobFailure {
  message: string;
  /** for which the job is not to blame: the attempt does not count */
  isDiskFull: boolean;
}

/**
 * Retry delays as in the library: three seconds after the first attempt to six hours after the tenth. A full disk may last
 * for hours, after which nothing should wait for six more.
 */
export async function failJobs(
  db: Queryable,
  worker: string,
  failures: Map<number, JobFailure>,
): Promise<void> {
  const onFullDisk = [...failures].flatMap(([id, { isDiskFull }]) => (isDiskFull ? [id] : []));
  await db.query(
    `UPDATE graphile_worker._private_jobs AS job SET last_error = failure.message, locked_by = NULL, locked_at = NULL,
       attempts = attempts - (job.id = ANY ($4))::integer,
       run_at = greatest(now(), run_at) + interval '1 second'
         * CASE WHEN job.id = ANY ($4) THEN ${retryAfter.diskFull} ELSE exp(least(attempts, 10)) END
     FROM unnest($2::bigint[], $3::text[]) AS failure (id, message) WHERE job.id = failure.id AND locked_by = $1`,
    [worker, [...failures.keys()], [...failures.values()].map(({ message }) => message), onFullDisk],
  );
}

/** The last retry is six hours after the one before: what is put off for longer is from before the clock was set back. */
export async function advancePostponedJobs(db: Queryable): Promise<void> {
  await db.query(
    "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now() + interval '12 hours'",
  );
}

export async function queueReconciliation(db: Queryable): Promise<void> {
  await db.query("SELECT graphile_worker.add_job('check-books', job_key := 'check-books')");
}

export async function countJobs(db: Queryable): Promise<{ task: string; count: number; failed: number }[]> {
  const { rows } = await db.query<{ task: string; count: number; failed: number }>(
    `SELECT task.identifier AS task, count(job.id)::int AS count,
       count(job.id) FILTER (WHERE job.last_error IS NOT NULL)::int AS failed
     FROM graphile_worker._private_tasks AS task LEFT JOIN graphile_worker._private_jobs AS job ON job.task_id = task.id
     GROUP BY task.identifier`,
  );
  return rows;
}
