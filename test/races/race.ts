/** Concurrent requests repeated over HTTP on a real PostgreSQL. ROUNDS=500 for more. */
import { expect, test } from "vitest";
import type { Reply } from "../harness/client.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import type { TestStore } from "../harness/store.ts";
import type { SignedIn } from "../harness/users.ts";

/** Rounds that run concurrently and interfere. */
export const AT_ONCE = 5;

/** One of the rounds that run at once, by its lane, whose rounds follow each other. */
export type Round = (lane: number) => Promise<Reply[]>;

/** Runs a round `ROUNDS` times (`fewer` by default); a round returns all responses, none of which may be a 500. */
export function race(what: string, store: () => TestStore, round: Round, fewer = 50): void {
  const rounds = Number(process.env.ROUNDS ?? fewer);
  test(`${what}, ${rounds} times`, { timeout: 60_000 + rounds * 500 }, async () => {
    let left = rounds;
    const run = async (_: unknown, lane: number) => {
      while (left-- > 0) {
        for (const { status, body } of await round(lane)) {
          if (status >= 500 && status !== 503) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    await expectConsistentStore(store().pool);
  });
}

/** After all races: PostgreSQL counted no deadlock, and the reconciliation finds nothing. */
export async function expectNoDeadlocks(store: TestStore, admin: SignedIn): Promise<void> {
  const { rows } = await store.pool.query(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
}

export const count = (replies: Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
