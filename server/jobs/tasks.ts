import { Logger, runMigrations } from "graphile-worker";
import type pg from "pg";
import type { Queryable } from "../../database/client.ts";
import { advancePostponedJobs, queueReconciliation } from "../../database/job-queue.ts";
import type { Deliver } from "../../providers/email/deliver.ts";
import { deleteOldEmails } from "../../providers/email/outbox-in-database.ts";
import { DELETED_EMAIL_DOMAIN } from "../../shop/accounts/delete-account.ts";
import { deleteOldActivity } from "../../shop/accounts/security-events.ts";
import { deleteExpiredSessions } from "../../shop/accounts/sessions.ts";
import { composeEmail, type EmailJob } from "../../shop/emails/compose.ts";
import { deleteGivenUpEmails } from "../../shop/emails/failed-emails.ts";
import type { Site } from "../../shop/emails/layout.ts";
import { deleteOldKeys } from "../../shop/idempotency/run-once.ts";
import { type ImportJob, runImport } from "../../shop/import/run.ts";
import { deleteOldImports } from "../../shop/import/start.ts";
import { expireUnpaidPurchases } from "../../shop/orders/expire.ts";
import { sendExpiryReminders } from "../../shop/orders/remind.ts";
import { syncDisputes } from "../../shop/payments/find-disputes.ts";
import { pollOpenPayments } from "../../shop/payments/poll.ts";
import { deleteOldAlerts } from "../../shop/products/stock-alert.ts";
import { type ReconciliationReport, reconcile } from "../../shop/reconciliation/check.ts";
import { saveReport } from "../../shop/reconciliation/run.ts";
import { queueLowStockEmails } from "../../shop/stock/low-stock-email.ts";
import type { Store } from "../../shop/store.ts";
import { type QueueOptions, startQueue } from "./queue.ts";

/** 03:17 UTC. */
const RECONCILE_AT_MS = (3 * 60 + 17) * 60_000;
const DAY_MS = 86_400_000;

type Report = (error: unknown, what: string) => void;

/** The store's own statements need the tables of the job queue. */
export async function prepareJobs(direct: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: direct, logger: new Logger(() => () => {}) });
}

interface PeriodicTask {
  name: string;
  everyMs: number;
  /** delay of the first run; by default a second, or less for shorter periods */
  firstMs?: number;
  run: (stopping: AbortSignal) => Promise<unknown>;
}

export interface JobOptions {
  store: Store & { pool: pg.Pool };
  direct: pg.Pool;
  site: Site;
  deliver: Deliver;
  report: Report;
  trace?: QueueOptions["trace"];
  periodicTasks: PeriodicTask[];
}

export function startJobs(options: JobOptions): () => Promise<void> {
  const { store } = options;
  const longTasks: QueueOptions["longTasks"] = {
    "check-books": async (_job, signal) => {
      const report = await reconcile(store, { days: 7, recheckAfterMs: 35_000, signal });
      signal.throwIfAborted();
      await saveReport(store, report);
      reportDiscrepancies(report, options.report);
    },
    "import-products": (job, signal) => runImport(store, job.payload as ImportJob, signal),
  };
  const tasks: QueueOptions["tasks"] = {
    "send-mail": async ({ id, payload, created_at }, signal) => {
      const email = await composeEmail(store, options.site, payload as EmailJob);
      if (!email || email.to.endsWith(DELETED_EMAIL_DOMAIN)) return; // cancelled, or the account was deleted
      const { unsubscribe, ...message } = email;
      const headers = unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      };
      const emailId = `${created_at.getTime()}-${id}`;
      await options.deliver({ ...message, ...(headers && { headers }) }, emailId, signal);
    },
  };
  const { direct, report, trace } = options;
  const queue = startQueue({ pool: store.pool, direct, tasks, longTasks, report, trace });
  const periodicTasks: PeriodicTask[] = [
    { name: "poll open payments", everyMs: 5000, run: () => pollOpenPayments(store) },
    { name: "sync disputes", everyMs: 900_000, firstMs: 20_000, run: () => syncDisputes(store) },
    { name: "send expiry reminders", everyMs: 60_000, run: () => sendExpiryReminders(store) },
    {
      name: "expire purchases",
      everyMs: 60_000,
      run: (stopping) => expireUnpaidPurchases(store, stopping),
    },
    { name: "release jobs of killed processes", everyMs: 5000, run: () => queue.releaseOrphanedJobs() },
    {
      name: "queue the nightly reconciliation",
      everyMs: 60_000,
      run: queueNightlyReconciliation(store.pool),
    },
    {
      name: "advance postponed jobs",
      everyMs: 3_600_000,
      firstMs: 600_000,
      run: () => advancePostponedJobs(store.pool),
    },
    { name: "delete old activity", everyMs: 3_600_000, run: () => deleteOldActivity(store) },
    { name: "delete expired sessions", everyMs: 3_600_000, run: () => deleteExpiredSessions(store) },
    { name: "delete old imports", everyMs: 3_600_000, run: () => deleteOldImports(store) },
    { name: "delete old emails", everyMs: 3_600_000, run: () => deleteOldEmails(store.pool) },
    { name: "delete given-up emails", everyMs: 3_600_000, run: () => deleteGivenUpEmails(store) },
    { name: "delete old stock alerts", everyMs: 3_600_000, run: () => deleteOldAlerts(store) },
    {
      name: "queue low-stock emails",
      everyMs: 600_000,
      firstMs: 60_000,
      run: () => queueLowStockEmails(store),
    },
    { name: "delete old idempotency keys", everyMs: 600_000, run: () => deleteOldKeys(store.pool) },
    ...options.periodicTasks,
  ];
  const stops = periodicTasks.map((task) => startPeriodicTask(task, options.report));
  return async () => {
    // concurrently: calls of the payment provider are refused during a stop, and a running job would count that as a failure
    await queue.stop(Promise.all(stops.map((stop) => stop())));
  };
}

export function nextReconciliationAfter(now: number): number {
  return (Math.floor((now - RECONCILE_AT_MS) / DAY_MS) + 1) * DAY_MS + RECONCILE_AT_MS;
}

/** Stays due while the database is down. A clock that was ahead and is set back does not postpone it. */
export function queueNightlyReconciliation(pool: Queryable): () => Promise<void> {
  let due = nextReconciliationAfter(Date.now());
  return async () => {
    const now = Date.now();
    if (now >= due) await queueReconciliation(pool);
    due = nextReconciliationAfter(now);
  };
}

function reportDiscrepancies({ faults }: ReconciliationReport, report: Report): void {
  for (const { claim, detail } of faults) report(new Error(detail), `discrepancy: ${claim}`);
}

/** Never runs twice at once; the returned function stops it and waits for the current run. */
function startPeriodicTask(task: PeriodicTask, report: Report): () => Promise<void> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();
  const runAndSchedule = () => {
    running = task
      .run(stopping.signal)
      .then(() => undefined)
      .catch((error) => report(error, task.name))
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(runAndSchedule, task.everyMs);
      });
  };
  timer = setTimeout(runAndSchedule, task.firstMs ?? Math.min(task.everyMs, 1000));
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
