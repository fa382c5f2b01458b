/** Jobs are done whatever becomes of the database in between, and of the process that had them in hand. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openPool } from "../../database/client.ts";
import { lockWorkerNames } from "../../server/dead-workers.ts";
import { type Queue, startQueue } from "../../server/queue.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";

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

const start = (note: (n: number) => Promise<void>) =>
  startQueue({
    pool: pool,
    tasks: { note: (payload) => note((payload as { n: number }).n) },
    crontab: "",
    report: (error) => reported.push(String(error)),
  });

async function ask(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgres"));
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The database takes no connection for a while; those there are stay. */
async function away(work: () => Promise<void>): Promise<void> {
  const name = database.connection.database;
  await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await work();
  await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}

test("several jobs that end one after the other while the database is away are done again, and so is the rest", {
  timeout: 90_000,
}, async () => {
  const done: number[] = [];
  const waiting: (() => void)[] = [];
  let isAway = false;
  queue = await start(async (n) => {
    if (!isAway && done.length === 0 && waiting.length < 4) {
      await new Promise<void>((go) => waiting.push(go));
    }
    done.push(n);
  });
  await add(12);
  await expect.poll(() => waiting.length).toBe(4);
  await away(async () => {
    isAway = true;
    for (const go of waiting) {
      go();
      await pause(30);
    }
    await pause(500);
  });
  // what was in hand is free some ten seconds later, as the rounds of the store look for it
  const looking = setInterval(() => void queue?.freeDead().catch(() => undefined), 1000);
  try {
    await expect.poll(left, { timeout: 60_000, interval: 500 }).toBe(0);
  } finally {
    clearInterval(looking);
  }
  expect([...new Set(done)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(reported.length).toBeGreaterThan(0);
});

test("jobs of a process that is gone are let go of, those of one that lives are not", async () => {
  await add(2);
  const living = lockWorkerNames(pool);
  living.add("pool-living");
  await living.freeDead();
  const take = (id: number, name: string) =>
    pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $2, locked_at = now() - interval '11 seconds'
       WHERE payload->>'n' = $1`,
      [String(id), name],
    );
  await take(1, "pool-dead");
  await take(2, "pool-living");
  const done: number[] = [];
  queue = await start(async (n) => void done.push(n));
  expect(await queue.freeDead()).toEqual(["pool-dead"]);
  await expect.poll(() => done).toEqual([1]);
  living.close();
  await expect.poll(() => queue?.freeDead()).toEqual(["pool-living"]);
  await expect.poll(left).toBe(0);
  expect(done).toEqual([1, 2]);
});
