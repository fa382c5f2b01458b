/** Jobs are done even if the database or the process that took them is lost. */
import pg from "pg";
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { openPool } from "../../../database/client.ts";
import { advancePostponedJobs } from "../../../database/job-queue.ts";
import { openWorkerLock } from "../../../database/worker-lock.ts";
import { type Queue, startQueue } from "../../../server/jobs/queue.ts";
import { nextReconciliationAfter, queueNightlyReconciliation } from "../../../server/jobs/tasks.ts";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";

let database: FreshDatabase;
let pool: pg.Pool;
let queue: Queue | undefined;
let reported: string[] = [];
beforeEach(async () => {
  database = await freshDatabase();
  pool = openPool({ ...database.connection, max: 20 }, () => undefined);
  reported = [];
});
afterEach(async () => {
  await queue?.stop();
  queue = undefined;
  await pool.end();
  await database.drop();
});

async function add(many: number): Promise<void> {
  await pool.query(
    "SELECT graphile_worker.add_job('note', json_build_object('n', n)) FROM generate_series(1, $1) AS n",
    [many],
  );
}

const left = async () => (await pool.query("SELECT FROM graphile_worker._private_jobs")).rowCount;

const start = (note: (n: number) => Promise<void>): Queue =>
  startQueue({
    pool,
    direct: pool,
    tasks: { note: ({ payload }) => note((payload as { n: number }).n) },
    report: (error) => reported.push(String(error)),
  });

async function query(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgres"));
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The database accepts no connection for a while; existing ones stay. */
async function withoutDatabase(run: () => Promise<void>): Promise<void> {
  const name = database.connection.database;
  await query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await run();
  await query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}

test("jobs that end while the database is down are not repeated, and the rest is done when it is back", async () => {
  const finished: number[] = [];
  const waiting: (() => void)[] = [];
  queue = start(async (n) => {
    if (n <= 4) await new Promise<void>((resume) => waiting.push(resume));
    finished.push(n);
    if (n === 4) throw new Error("the last of them fails");
  });
  await add(12);
  await expect.poll(() => waiting.length).toBe(4);
  await withoutDatabase(async () => {
    for (const resume of waiting) resume();
    await expect.poll(() => reported.length).toBeGreaterThan(1);
  });
  const jobs = async () =>
    (
      await pool.query(
        "SELECT payload->>'n' AS n, attempts, last_error, run_at > now() AS later FROM graphile_worker._private_jobs",
      )
    ).rows;
  // the failure is recorded after the jobs that are done
  await expect
    .poll(jobs)
    .toEqual([{ n: "4", attempts: 1, last_error: "the last of them fails", later: true }]);
  expect(finished.sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test("jobs that were taken while the connection broke are done by the same process", async () => {
  const finished: number[] = [];
  let lost = 0;
  const loseResponse = async (statement: pg.QueryConfig, values?: unknown[]) => {
    const result = await pool.query(statement, values);
    if (statement.name !== "take-jobs" || result.rowCount === 0 || lost > 0) return result;
    lost = result.rowCount as number;
    throw new Error("Connection terminated unexpectedly");
  };
  const losing = Object.assign(Object.create(pool) as pg.Pool, { query: loseResponse });
  await add(3);
  queue = startQueue({
    pool: losing,
    direct: pool,
    tasks: { note: async ({ payload }) => void finished.push((payload as { n: number }).n) },
    report: (error) => reported.push(String(error)),
  });
  await expect.poll(() => finished.toSorted()).toEqual([1, 2, 3]);
  await expect.poll(left).toBe(0);
  expect([lost, reported]).toEqual([3, ["Error: Connection terminated unexpectedly"]]);
});

test.each([
  [
    "of the database",
    "could not extend file",
    () => pool.query("DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$"),
  ],
  [
    "of the outbox",
    "ENOSPC: no space left on device, write",
    async () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    },
  ],
])("a job that fails on a full disk %s is retried soon, however often", async (_, message, fail) => {
  await add(1);
  await pool.query("UPDATE graphile_worker._private_jobs SET attempts = 20");
  queue = start(async () => void (await fail()));
  const jobs = async () =>
    (
      await pool.query(
        `SELECT attempts, last_error, run_at - now() BETWEEN '20 s' AND '30 s' AS soon
         FROM graphile_worker._private_jobs WHERE locked_by IS NULL AND last_error IS NOT NULL`,
      )
    ).rows;
  await expect.poll(jobs).toEqual([{ attempts: 20, last_error: `The disk is full: ${message}`, soon: true }]);
});

test("a failure with a character that cannot be stored does not stop the others", async () => {
  const finished: number[] = [];
  queue = start(async (n) => {
    if (n === 1) throw new Error("550 not\0 here");
    finished.push(n);
  });
  await add(1);
  await expect.poll(() => reported.length).toBeGreaterThan(0);
  await add(2);
  await expect.poll(() => finished).toEqual([2]);
  const errors = async () =>
    (await pool.query("SELECT DISTINCT last_error FROM graphile_worker._private_jobs WHERE attempts > 0"))
      .rows;
  // the row of the second job is deleted after it has ended
  await expect.poll(errors).toEqual([{ last_error: "550 not here" }]);
});

test("jobs that take minutes do not delay the others", async () => {
  const finished: number[] = [];
  let started = 0;
  queue = startQueue({
    pool,
    direct: pool,
    tasks: { note: async ({ payload }) => void finished.push((payload as { n: number }).n) },
    longTasks: {
      import: (_job, signal) => {
        started += 1;
        return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
      },
    },
    report: (error) => reported.push(String(error)),
  });
  await pool.query("SELECT graphile_worker.add_job('import') FROM generate_series(1, 60)");
  await expect.poll(() => started).toBeGreaterThan(0);
  await add(3);
  await expect.poll(() => finished.toSorted()).toEqual([1, 2, 3]);
  await queue.stop();
  queue = undefined;
  // each continues in another process
  const { rows } = await pool.query(
    "SELECT count(*)::int AS free FROM graphile_worker._private_jobs WHERE locked_by IS NULL AND attempts = 0",
  );
  expect(rows).toEqual([{ free: 60 }]);
  expect(reported).toEqual([]);
});

test("a job that goes on while the process stops does not cost the records of the others", async () => {
  const ends = new Map<number, () => void>();
  const stopping = start((n) => new Promise<void>((end) => void ends.set(n, end)));
  await add(7);
  await expect.poll(() => ends.size).toBe(5);
  const stopped = stopping.stop();
  const [slow = () => undefined, ...others] = ends.values();
  for (const end of others) end();
  const rows = async () =>
    (await pool.query("SELECT locked_by IS NOT NULL AS locked FROM graphile_worker._private_jobs ORDER BY 1"))
      .rows;
  // the two that were not started are returned
  await expect.poll(rows).toEqual([{ locked: false }, { locked: false }, { locked: true }]);
  slow();
  await stopped;
  expect(await left()).toBe(2);
});

test("the reconciliation runs every night at 03:17", () => {
  const next = (time: string) => new Date(nextReconciliationAfter(Date.parse(time))).toISOString();
  expect(next("2026-05-01T00:00:00Z")).toBe("2026-05-01T03:17:00.000Z");
  expect(next("2026-05-01T03:17:00Z")).toBe("2026-05-02T03:17:00.000Z");
});

test("a clock that was years ahead for a while does not postpone the nightly reconciliation", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const at = (time: string) => vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
  at("2026-05-01T12:00:00Z");
  const queueIfDue = queueNightlyReconciliation(pool);
  const queuedAt = async (time: string) => {
    at(time);
    await queueIfDue();
    const jobs = await left();
    await pool.query("DELETE FROM graphile_worker._private_jobs");
    return jobs;
  };
  expect(await queuedAt("2038-01-01T00:00:00Z")).toBe(1);
  expect(await queuedAt("2026-05-01T12:02:00Z")).toBe(0);
  expect(await queuedAt("2026-05-02T03:18:00Z")).toBe(1);
  expect(await queuedAt("2026-05-02T03:19:00Z")).toBe(0);
});

test("jobs that were queued while the clock was days ahead do not wait until it has caught up", async () => {
  await add(2);
  await pool.query(`UPDATE graphile_worker._private_jobs
    SET run_at = now() + (payload->>'n')::integer * interval '11 hours'`);
  await advancePostponedJobs(pool);
  const done: number[] = [];
  queue = start(async (n) => void done.push(n));
  await expect.poll(left).toBe(1);
  expect(done).toEqual([2]);
});

test("a process whose connection is lost locks its name again at once, before others consider it dead", async () => {
  const liveLock = openWorkerLock(pool, "pool-living");
  await liveLock.releaseOrphanedJobs();
  const holders = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.map(({ pid }) => pid);
  };
  const [before] = await holders();
  await pool.query("SELECT pg_terminate_backend($1)", [before]);
  const others = async () => (await holders()).filter((pid) => pid !== before);
  await expect.poll(others).toEqual([expect.any(Number)]);
  liveLock.close();
  await expect.poll(holders).toEqual([]);
});

test.each([
  ["", "11 seconds"],
  [", also after the clock was set back", "-1 hour"],
])("jobs of a dead process are released%s, those of a live one are not", async (_, age) => {
  await add(2);
  const liveLock = openWorkerLock(pool, "pool-living");
  await liveLock.releaseOrphanedJobs();
  const lockJob = (id: number, name: string) =>
    pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $2, locked_at = now() - $3::interval
       WHERE payload->>'n' = $1`,
      [String(id), name, age],
    );
  await lockJob(1, "pool-dead");
  await lockJob(2, "pool-living");
  const done: number[] = [];
  queue = start(async (n) => void done.push(n));
  expect(await queue.releaseOrphanedJobs()).toEqual(["pool-dead"]);
  await expect.poll(() => done).toEqual([1]);
  liveLock.close();
  await expect.poll(() => queue?.releaseOrphanedJobs()).toEqual(["pool-living"]);
  await expect.poll(left).toBe(0);
  expect(done).toEqual([1, 2]);
});
