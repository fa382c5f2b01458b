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
const LATEST_REFUNDS = 200;

/** Only what is unambiguous: it does not decide which of two numbers is right, such as stock and ledger. */
export async function repairDiscrepancies(
  store: Store,
  days: number,
  report: (line: string) => void,
): Promise<void> {
  const steps: [string, () => Promise<void>][] = [
    ["Unrecorded succeeded payments", () => confirmUnseenPayments(store, days, report)],
    ["Payments for orders that need none", () => cancelUnwantedIntents(store, report)],
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

function notRepaired(what: string, why: string): string {
  return `${what} could not be repaired. ${why}`;
}

async function confirmUnseenPayments(
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
    const unseen = new Map(rows.map(({ id, purchase_id }) => [id, purchase_id]));
    await forEachTolerant(
      succeeded.filter(({ id }) => unseen.has(id)),
      async (intent) => {
        const paid = await markPaid(store, intent);
        const how = isRefusal(paid) ? paid.detail : "Its order is paid now.";
        report(`Payment ${intent.id} had succeeded unrecorded for order ${unseen.get(intent.id)}. ${how}`);
      },
      ({ id }, why) => report(notRepaired(`Payment ${id}`, why)),
    );
  }
}

async function cancelUnwantedIntents(store: Store, report: (line: string) => void): Promise<void> {
  const { rows } = await store.pool.query<{ id: string; purchase_id: string }>(
    `SELECT DISTINCT ON (y.id) y.id, y.purchase_id FROM shop.payment y
     JOIN shop.payment_purchase share ON share.payment_id = y.id JOIN shop.purchase u ON u.id = share.purchase_id
     WHERE y.status = 'open' AND coalesce(u.cancelled_at, u.paid_at) < now() - interval '1 minute'`,
  );
  await forEachTolerant(
    rows,
    async ({ id, purchase_id }) => {
      const refused = await cancelOpenPayments(store, [purchase_id]);
      const how = refused?.detail ?? "It is cancelled.";
      report(`Payment ${id} was open for order ${purchase_id}, which needs none. ${how}`);
    },
    ({ id }, why) => report(notRepaired(`Payment ${id}`, why)),
  );
}

async function finishRefunds(store: Store, days: number, report: (line: string) => void): Promise<void> {
  const due = await store.pool.query<{ id: string }>("SELECT id FROM shop.refund WHERE status = 'due'");
  await forEachTolerant(
    due.rows,
    async ({ id }) => {
      const made = await submitRefund(store, id);
      const how = isRefusal(made) ? made.detail : made === "done" ? "It was sent." : "It is still pending.";
      report(`The refund ${id} was pending. ${how}`);
    },
    ({ id }, why) => report(notRepaired(`The refund ${id}`, why)),
  );
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM shop.payment WHERE status IN ('succeeded', 'refund_due', 'refunded') AND opened_at > now() - make_interval(days => $1)
       AND ${isOfAccountInUse("payment", 3)}
     ORDER BY opened_at DESC LIMIT $2`,
    [days, LATEST_REFUNDS, ...(await accountValues(store))],
  );
  await forEachTolerant(
    rows,
    async ({ id }) => {
      const adopted = await syncRefunds(store, id);
      if (adopted > 0)
        report(
          `${adopted} refunds of ${id} succeeded or failed at the payment provider and are recorded now.`,
        );
    },
    ({ id }, why) => report(notRepaired(`The refunds of payment ${id}`, why)),
  );
}

async function importDisputes(store: Store, days: number, report: (line: string) => void): Promise<void> {
  const since = new Date(Date.now() - days * DAY_MS);
  const disputes = await listDisputes(store, since, (what, why) => report(notRepaired(what, why)));
  await forEachTolerant(
    await missingDisputes(store, disputes),
    async ({ dispute, paymentId, purchaseId }) => {
      await syncPaymentWithDisputes(store, paymentId);
      report(`The dispute ${dispute.id} of order ${purchaseId} was missing; it is recorded now.`);
    },
    ({ dispute }, why) => report(notRepaired(`The dispute ${dispute.id}`, why)),
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
    `SELECT array_agg(coalesce(s.id, e.product_id)) AS ids ${MISINDEXED}`,
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
