/** Work outside of requests: emails and other jobs of the queue, and periodic tasks. */
import { Logger, runMigrations } from "graphile-worker";
import type pg from "pg";
import type { Queryable } from "../../database/client.ts";
import { queueReconciliation } from "../../database/job-queue.ts";
import type { Deliver } from "../../providers/email/deliver.ts";
import { DELETED_EMAIL_DOMAIN } from "../../shop/accounts/delete-account.ts";
import { deleteOldActivity } from "../../shop/accounts/security-events.ts";
import { composeEmail, type EmailJob } from "../../shop/emails/compose.ts";
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

/** When the nightly reconciliation runs, after midnight UTC. */
const CHECK_AT_MS = (3 * 60 + 17) * 60_000;
const DAY_MS = 86_400_000;

export type Report = (error: unknown, what: string) => void;

/** Creates the tables of the job queue, which the store's own statements need. */
export async function prepareJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
}

export interface PeriodicTask {
  name: string;
  everyMs: number;
  /** when it begins; by default after a second, or sooner */
  firstMs?: number;
  work: () => Promise<unknown>;
}

export interface JobOptions {
  store: Store & { pool: pg.Pool };
  publicUrl: string;
  deliver: Deliver;
  report: Report;
  /** further periodic tasks */
  rounds: PeriodicTask[];
}

/** Starts queue and periodic tasks; the returned function stops them and waits for running work. */
export function startJobs(options: JobOptions): () => Promise<void> {
  const { store } = options;
  const tasks: QueueOptions["tasks"] = {
    "check-books": async () => {
      const report = await reconcile(store, { days: 7, patienceMs: 35_000 });
      await saveReport(store, report);
      reportDiscrepancies(report, options.report);
    },
    "import-products": (job, signal) => runImport(store, job.payload as ImportJob, signal),
    "send-mail": async ({ id, payload, created_at }) => {
      const mail = await composeEmail(store, options.publicUrl, payload as EmailJob);
      if (!mail || mail.to.endsWith(DELETED_EMAIL_DOMAIN)) return; // no longer wanted, or the person has left
      const { unsubscribe, ...message } = mail;
      const headers = unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      };
      await options.deliver({ ...message, ...(headers && { headers }) }, `${created_at.getTime()}-${id}`);
    },
  };
  const queue = startQueue({ pool: store.pool, tasks, report: options.report });
  const rounds = [
    { name: "sweep payments", everyMs: 5000, work: () => pollOpenPayments(store) },
    { name: "search for disputes", everyMs: 900_000, firstMs: 20_000, work: () => syncDisputes(store) },
    { name: "remind of expiry", everyMs: 60_000, work: () => sendExpiryReminders(store) },
    { name: "expire purchases", everyMs: 60_000, work: () => expireUnpaidPurchases(store) },
    { name: "free jobs of killed processes", everyMs: 5000, work: () => queue.freeDead() },
    { name: "queue the nightly check", everyMs: 60_000, work: queueNightlyCheck(store.pool) },
    { name: "forget old activity", everyMs: 3_600_000, work: () => deleteOldActivity(store) },
    { name: "delete old imports", everyMs: 3_600_000, work: () => deleteOldImports(store) },
    { name: "forget old stock alerts", everyMs: 3_600_000, work: () => deleteOldAlerts(store) },
    {
      name: "queue low-stock emails",
      everyMs: 600_000,
      firstMs: 60_000,
      work: () => queueLowStockEmails(store),
    },
    { name: "delete old idempotency keys", everyMs: 600_000, work: () => deleteOldKeys(store.pool) },
    ...options.rounds,
  ].map((round: PeriodicTask) => startPeriodicTask(round, options.report));
  return async () => {
    await Promise.all(rounds.map((stop) => stop()));
    await queue.stop();
  };
}

/** The first check after `now`. */
export function nextCheckAfter(now: number): number {
  return (Math.floor((now - CHECK_AT_MS) / DAY_MS) + 1) * DAY_MS + CHECK_AT_MS;
}

/** Queues the check when its time has come; while the database is away, it stays due. */
function queueNightlyCheck(pool: Queryable): () => Promise<void> {
  let due = nextCheckAfter(Date.now());
  return async () => {
    if (Date.now() < due) return;
    await queueReconciliation(pool);
    due = nextCheckAfter(Date.now());
  };
}

/** Logs each discrepancy once. */
function reportDiscrepancies({ faults }: ReconciliationReport, report: Report): void {
  for (const { claim, detail } of faults) report(new Error(detail), `the books do not agree: ${claim}`);
}

/** Runs `work` periodically, never twice at once; the returned function stops it and waits for the current run. */
function startPeriodicTask(round: PeriodicTask, report: Report): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let working: Promise<void> = Promise.resolve();
  const turn = () => {
    working = round
      .work()
      .then(() => undefined)
      .catch((error) => report(error, round.name))
      .finally(() => {
        if (!stopped) timer = setTimeout(turn, round.everyMs);
      });
  };
  timer = setTimeout(turn, round.firstMs ?? Math.min(round.everyMs, 1000));
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await working;
  };
}
