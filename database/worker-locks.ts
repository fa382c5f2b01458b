/**
 * Finds jobs of killed processes. The queue keeps a job locked for its worker for four hours; here a worker holds an
 * advisory lock on its name as long as its process lives, so a worker whose name is not locked is dead, and other
 * processes take over its jobs at once.
 */
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

export interface WorkerLocks {
  add(name: string): void;
  /** Unlocks the jobs of workers whose process has ended; returns the names of those workers. */
  releaseOrphanedJobs(): Promise<string[]>;
  /** Releases the names; call it after the last job. */
  close(): void;
}

// a worker locks its name shortly after its start
const LOCKED_LONG_AGO = `
SELECT DISTINCT locked_by AS name FROM graphile_worker._private_jobs
WHERE locked_at < now() - interval '10 seconds' AND locked_by <> ALL ($1)`;

const RELOCK_MS = 200;

/** Holds the names on one connection of `pool`, and relocks on another one when that is lost. */
export function openWorkerLocks(pool: pg.Pool): WorkerLocks {
  const names = new Set<string>();
  const locked = new Set<string>();
  let holder: pg.PoolClient | undefined;
  let locking: Promise<pg.PoolClient> | undefined;
  let isClosed = false;

  function letGo(client: pg.PoolClient) {
    if (holder !== client) return;
    holder = undefined;
    locked.clear();
    client.release(true);
  }

  /** Until the names are locked again, other processes consider this one dead. */
  async function relock(): Promise<void> {
    while (!holder && !isClosed) {
      await hold().catch(() => pause(RELOCK_MS));
    }
  }

  async function lockAll(): Promise<pg.PoolClient> {
    if (!holder) {
      const client = await pool.connect();
      holder = client;
      client.once("error", () => {
        letGo(client);
        void relock();
      });
    }
    const client = holder;
    for (const name of names) {
      if (locked.has(name)) continue;
      await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
      locked.add(name);
    }
    if (isClosed) letGo(client);
    return client;
  }

  function hold(): Promise<pg.PoolClient> {
    locking ??= lockAll().finally(() => {
      locking = undefined;
    });
    return locking;
  }

  async function isDead(client: pg.PoolClient, name: string): Promise<boolean> {
    const { rows } = await client.query<{ dead: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS dead",
      [name],
    );
    if (rows[0]?.dead) await client.query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    return rows[0]?.dead ?? false;
  }

  return {
    add: (name) => names.add(name),
    async releaseOrphanedJobs() {
      const client = await hold();
      const { rows } = await client.query<{ name: string }>(LOCKED_LONG_AGO, [[...names]]);
      const dead: string[] = [];
      for (const { name } of rows) if (await isDead(client, name)) dead.push(name);
      if (dead.length > 0) await client.query("SELECT graphile_worker.force_unlock_workers($1)", [dead]);
      return dead;
    },
    close() {
      isClosed = true;
      if (holder) letGo(holder);
    },
  };
}
