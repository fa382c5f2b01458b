import { setTimeout as pause } from "node:timers/promises";
import type { Queryable } from "../../database/client.ts";
import type { Store } from "../store.ts";
import { type ReconciliationReport, reconcile } from "./check.ts";

/** The newest report there is, and whether a newer one is being made. */
export type ReconciliationState = ReconciliationReport & { asked: string; running: boolean };

/** How long a caller waits at most; a request may take thirty seconds. */
const LONGEST_WAIT_MS = 10_000;

const SAVE_REPORT = `
INSERT INTO shop.books_report (report) VALUES ($1)
ON CONFLICT (single) DO UPDATE SET report = excluded.report
WHERE books_report.report->>'checkedAt' < excluded.report->>'checkedAt'`;

/** the look that this process is about, by the database it looks at */
const running = new WeakMap<Queryable, Promise<unknown>>();

/** when and why the last look of this process that failed did so */
const failed = new WeakMap<Queryable, { at: string; error: unknown }>();

/**
 * Looks at the books now. In a very big store that takes longer than a request may: then the answer is the last
 * report, or one without claims where there is none, and says that a look is running; whoever asks again with
 * what was `asked` is given its report. All processes share the last report. Throws what made the look fail, also to
 * whoever asks for its report later.
 */
export async function runReconciliation(
  store: Store,
  { since, waitMs = LONGEST_WAIT_MS }: { since?: string | undefined; waitMs?: number } = {},
): Promise<ReconciliationState> {
  const asked = since ?? new Date().toISOString();
  const before = await lastReport(store);
  if (before && before.checkedAt >= asked) return { ...before, asked, running: false };
  const failure = failed.get(store.pool);
  if (since && failure && failure.at >= since && !running.has(store.pool)) throw failure.error;
  const look = running.get(store.pool) ?? start(store);
  const ended = await Promise.race([look.then(() => true), pause(waitMs, false, { ref: false })]);
  const report = (await lastReport(store)) ?? { checkedAt: asked, claims: [], faults: [] };
  return { ...report, asked, running: !ended };
}

function start(store: Store): Promise<unknown> {
  const look = reconcile(store)
    .then(async (report) => saveReport(store, report))
    .catch((error) => {
      failed.set(store.pool, { at: new Date().toISOString(), error });
      throw error;
    })
    .finally(() => running.delete(store.pool));
  running.set(store.pool, look);
  // whoever waits, or asks for the report, hears of a failure; nobody may wait any more
  look.catch(() => undefined);
  return look;
}

/** Keeps a report for whoever asks next, unless there is a newer one. */
export async function saveReport(store: Store, report: ReconciliationReport): Promise<void> {
  await store.pool.query(SAVE_REPORT, [JSON.stringify(report)]);
}

async function lastReport(store: Store): Promise<ReconciliationReport | undefined> {
  const { rows } = await store.pool.query<{ report: ReconciliationReport }>(
    "SELECT report FROM shop.books_report",
  );
  return rows[0]?.report;
}
