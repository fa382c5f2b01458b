import { expireUnpaidPurchases } from "../orders/expire.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import { cancelOpenPayments } from "../payments/cancel-intent.ts";
import { listDisputes, missingDisputes } from "../payments/find-disputes.ts";
import { errorMessage, forEachTolerant } from "../payments/for-each-tolerant.ts";
import { markPaid } from "../payments/mark-paid.ts";
import { syncPaymentWithDisputes } from "../payments/webhook.ts";
import { submitRefund } from "../refunds/submit.ts";
import { syncRefunds } from "../refunds/sync.ts";
import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { chunksOfHundred } from "./chunk.ts";
import { MISINDEXED, RECOUNT_CUSTOMERS } from "./invariants.ts";

const DAY_MS = 86_400_000;
const MAX_SYNCED_PAYMENTS = 200;

/** Only what is unambiguous: it does not decide which of two numbers is right, such as stock and ledger. */
export async function repairDiscrepancies(
  store: Store,
  days: number,
  report: (line: string) => void,
): Promise<void> {
  const steps: [string, () => Promise<void>][] = [
    ["Unrecorded succeeded payments", () => confirmUnrecordedPayments(store, days, report)],
    ["Payments for orders that need none", () => cancelUnneededIntents(store, report)],
    ["Refunds", () => finishRefunds(store, days, report)],
    ["Disputes", () => importDisputes(store, days, report)],
    ["Orders past their hold", () => expireUnpaid(store, report)],
    ["Failed jobs", () => retryJobs(store, report)],
    ["The catalogue", () => reindexCatalogue(store, report)],
    ["The figures of customers", () => recountCustomers(store, report)],
  ];
  for (const [what, repair] of steps) {
    await repair().catch((error) => report(notRepaired(what, errorMessage(error))));
  }
}

function notRepaired(what: string, reason: string): string {
  return `${what} could not be repaired. ${reason}`;
}

async function confirmUnrecordedPayments(
  store: Store,
  days: number,
  report: (line: string) => void,
): Promise<void> {
  const since = new Date(Date.now() - days * DAY_MS);
  for await (const intents of chunksOfHundred(store.payments.intentsSince(since))) {
    const succeeded = intents.filter(({ status }) => status === "succeeded");
    const { rows } = await store.pool.query<{ id: string; purchase_id: string }>(
      "SELECT id, purchase_id FROM shop.payment WHERE id = ANY ($1) AND status IN ('open', 'cancelled')",
      [succeeded.map(({ id }) => id)],
    );
    const unrecorded = new Map(rows.map(({ id, purchase_id }) => [id, purchase_id]));
    await forEachTolerant(
      succeeded.filter(({ id }) => unrecorded.has(id)),
      async (intent) => {
        const result = await markPaid(store, intent);
        const outcome = isRefusal(result) ? result.detail : "Its order is paid now.";
        report(
          `Payment ${intent.id} had succeeded unrecorded for order ${unrecorded.get(intent.id)}. ${outcome}`,
        );
      },
      ({ id }, reason) => report(notRepaired(`Payment ${id}`, reason)),
    );
  }
}

async function cancelUnneededIntents(store: Store, report: (line: string) => void): Promise<void> {
  const { rows } = await store.pool.query<{ id: string; purchase_id: string }>(
    `SELECT DISTINCT ON (payment.id) payment.id, payment.purchase_id FROM shop.payment
     JOIN shop.payment_purchase share ON share.payment_id = payment.id JOIN shop.purchase ON purchase.id = share.purchase_id
     WHERE payment.status = 'open' AND coalesce(purchase.cancelled_at, purchase.paid_at) < now() - interval '1 minute'`,
  );
  await forEachTolerant(
    rows,
    async ({ id, purchase_id }) => {
      const refusal = await cancelOpenPayments(store, [purchase_id]);
      const outcome = refusal?.detail ?? "It is cancelled.";
      report(`Payment ${id} was open for order ${purchase_id}, which needs none. ${outcome}`);
    },
    ({ id }, reason) => report(notRepaired(`Payment ${id}`, reason)),
  );
}

async function finishRefunds(store: Store, days: number, report: (line: string) => void): Promise<void> {
  const pending = await store.pool.query<{ id: string }>("SELECT id FROM shop.refund WHERE status = 'due'");
  await forEachTolerant(
    pending.rows,
    async ({ id }) => {
      const result = await submitRefund(store, id);
      const outcome = isRefusal(result)
        ? result.detail
        : result === "done"
          ? "It was sent."
          : "It is still pending.";
      report(`The refund ${id} was pending. ${outcome}`);
    },
    ({ id }, reason) => report(notRepaired(`The refund ${id}`, reason)),
  );
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM shop.payment WHERE status IN ('succeeded', 'refund_due', 'refunded') AND opened_at > now() - make_interval(days => $1)
       AND ${isOfAccountInUse("payment", 3)}
     ORDER BY opened_at DESC LIMIT $2`,
    [days, MAX_SYNCED_PAYMENTS, ...(await accountValues(store))],
  );
  await forEachTolerant(
    rows,
    async ({ id }) => {
      const synced = await syncRefunds(store, id);
      if (synced > 0)
        report(
          `${synced} refunds of ${id} succeeded or failed at the payment provider and are recorded now.`,
        );
    },
    ({ id }, reason) => report(notRepaired(`The refunds of payment ${id}`, reason)),
  );
}

async function importDisputes(store: Store, days: number, report: (line: string) => void): Promise<void> {
  const since = new Date(Date.now() - days * DAY_MS);
  const disputes = await listDisputes(store, since, (what, reason) => report(notRepaired(what, reason)));
  await forEachTolerant(
    await missingDisputes(store, disputes),
    async ({ dispute, paymentId, purchaseId }) => {
      await syncPaymentWithDisputes(store, paymentId);
      report(`The dispute ${dispute.id} of order ${purchaseId} was missing; it is recorded now.`);
    },
    ({ dispute }, reason) => report(notRepaired(`The dispute ${dispute.id}`, reason)),
  );
}

async function expireUnpaid(store: Store, report: (line: string) => void): Promise<void> {
  const expired = await expireUnpaidPurchases(store);
  if (expired > 0) report(`${expired} unpaid orders past their hold have expired.`);
}

async function retryJobs(store: Store, report: (line: string) => void): Promise<void> {
  const { rows } = await store.pool.query<{ id: number; last_error: string | null }>(
    "SELECT id, last_error FROM graphile_worker._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL",
  );
  if (rows.length === 0) return;
  await store.pool.query("SELECT graphile_worker.reschedule_jobs($1, now(), NULL, 0)", [
    rows.map(({ id }) => id),
  ]);
  for (const { id } of rows) report(`The job ${id} had failed and will be retried.`);
}

async function reindexCatalogue(store: Store, report: (line: string) => void): Promise<void> {
  const { rows } = await store.pool.query<{ ids: string[] | null }>(
    `SELECT array_agg(coalesce(product.id, entry.product_id)) AS ids ${MISINDEXED}`,
  );
  const ids = rows[0]?.ids;
  if (!ids) return;
  await store.pool.query("SELECT shop.renew_entries($1)", [ids]);
  report(`The catalogue index has ${ids.length} tools updated.`);
}

/** Blocks orders, payments and cancellations meanwhile. */
async function recountCustomers(store: Store, report: (line: string) => void): Promise<void> {
  const counted = await inTransaction(store, async ({ pool }) => {
    await pool.query("LOCK TABLE shop.customer IN SHARE ROW EXCLUSIVE MODE");
    const { rowCount } = await pool.query(RECOUNT_CUSTOMERS);
    return rowCount ?? 0;
  });
  if (counted > 0) report(`The figures of ${counted} customers were counted again.`);
}
