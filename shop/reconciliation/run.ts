import { setTimeout as pause } from "node:timers/promises";
import type { Output } from "../../api/contract.ts";
import type { Queryable } from "../../database/client.ts";
import type { Store } from "../store.ts";
import { type ReconciliationReport, reconcile } from "./check.ts";

/** Well below the request timeout of 30 seconds. */
const MAX_WAIT_MS = 10_000;

// Of a report that is from before the clock was set back, it would seem the newest until the clock has caught up.
const IS_AHEAD = "(books_report.report->>'checkedAt')::timestamptz > now() + interval '1 hour'";

const SAVE_REPORT = `
INSERT INTO shop.books_report (report) VALUES ($1)
ON CONFLICT (single) DO UPDATE SET report = excluded.report
WHERE books_report.report->>'checkedAt' < excluded.report->>'checkedAt' OR ${IS_AHEAD}`;

const running = new WeakMap<Queryable, Promise<unknown>>();

const failed = new WeakMap<Queryable, { at: string; error: unknown }>();

/** After `waitMs` returns the last report as `running`; call again with its `asked` as `since` for the new one. */
export async function runReconciliation(
  store: Store,
  { since, waitMs = MAX_WAIT_MS }: { since?: string | undefined; waitMs?: number } = {},
): Promise<Output<"reconcile">> {
  const requestedAt = since ?? new Date().toISOString();
  const before = await lastReport(store);
  if (before && before.checkedAt >= requestedAt) return { ...before, asked: requestedAt, running: false };
  const failure = failed.get(store.pool);
  if (since && failure && failure.at >= since && !running.has(store.pool)) throw failure.error;
  const earlier = running.get(store.pool);
  const run = earlier ?? start(store);
  const ended = await Promise.race([run.then(() => true), pause(waitMs, false, { ref: false })]);
  const report = (await lastReport(store)) ?? { checkedAt: requestedAt, claims: [], faults: [] };
  // what it reads may have been changed before this request: the next request starts another one
  const isOutdated = earlier !== undefined && report.checkedAt < requestedAt;
  return { ...report, asked: requestedAt, running: !ended || isOutdated };
}

function start(store: Store): Promise<unknown> {
  const run = reconcile(store)
    .then(async (report) => saveReport(store, report))
    .catch((error) => {
      failed.set(store.pool, { at: new Date().toISOString(), error });
      throw error;
    })
    .finally(() => running.delete(store.pool));
  running.set(store.pool, run);
  // the failure is reported to callers that wait or ask later; there may be none
  run.catch(() => undefined);
  return run;
}

export async function saveReport(store: Store, report: ReconciliationReport): Promise<void> {
  await store.pool.query(SAVE_REPORT, [JSON.stringify(report)]);
}

export async function lastReport(store: Store): Promise<ReconciliationReport | undefined> {
  const { rows } = await store.pool.query<{ report: ReconciliationReport }>(
    `SELECT report FROM shop.books_report WHERE NOT ${IS_AHEAD}`,
  );
  return rows[0]?.report;
}
