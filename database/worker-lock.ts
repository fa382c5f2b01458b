/** The queue unlocks jobs after four hours. A worker locks its name, so its jobs are released as soon as it has died. */
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

export interface WorkerLock {
  releaseOrphanedJobs(): Promise<string[]>;
  /** Releases the name; call it after the last job. */
  close(): void;
}

// A worker locks its name shortly after its start. Those that seem to be taken later are from before the clock was set back.
const LOCKED_LONG_AGO = `
SELECT DISTINCT locked_by AS name FROM graphile_worker._private_jobs
WHERE locked_at NOT BETWEEN now() - interval '10 seconds' AND now() + interval '10 seconds' AND locked_by <> $1`;

const RELOCK_MS = 200;

/** Holds the name on a connection of `pool`, and relocks it on another one when that is lost. */
export function openWorkerLock(pool: pg.Pool, name: string): WorkerLock {
  let isLocked = false;
  let lockHolder: pg.PoolClient | undefined;
  let locking: Promise<pg.PoolClient> | undefined;
  let isClosed = false;

  function releaseConnection(client: pg.PoolClient) {
    if (lockHolder !== client) return;
    lockHolder = undefined;
    isLocked = false;
    client.release(true);
  }

  /** Until the name is locked again, other processes consider this one dead. */
  async function relock(): Promise<void> {
    while (!lockHolder && !isClosed) {
      await holdLock().catch(() => pause(RELOCK_MS));
    }
  }

  async function lock(): Promise<pg.PoolClient> {
    if (!lockHolder) {
      const client = await pool.connect();
      lockHolder = client;
      client.once("error", () => {
        releaseConnection(client);
        void relock();
      });
    }
    const client = lockHolder;
    if (!isLocked) await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
    isLocked = true;
    if (isClosed) releaseConnection(client);
    return client;
  }

  function holdLock(): Promise<pg.PoolClient> {
    locking ??= lock().finally(() => {
      locking = undefined;
    });
    return locking;
  }

  async function isDead(client: pg.PoolClient, worker: string): Promise<boolean> {
    const { rows } = await client.query<{ dead: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS dead",
      [worker],
    );
    if (rows[0]?.dead) await client.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [worker]);
    return rows[0]?.dead ?? false;
  }

  return {
    async releaseOrphanedJobs() {
      const client = await holdLock();
      const { rows } = await client.query<{ name: string }>(LOCKED_LONG_AGO, [name]);
      const dead: string[] = [];
      for (const worker of rows) if (await isDead(client, worker.name)) dead.push(worker.name);
      if (dead.length > 0) await client.query("SELECT graphile_worker.force_unlock_workers($1)", [dead]);
      return dead;
    },
    close() {
      isClosed = true;
      if (lockHolder) releaseConnection(lockHolder);
    },
  };
}
