import { submitRefund } from "../refunds/submit.ts";
import { syncRefunds } from "../refunds/sync.ts";
import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { accountValues, isOfAccountInUse } from "./account-in-use.ts";
import { cancelOpenPayments } from "./cancel-intent.ts";
import { markCancelled } from "./mark-cancelled.ts";
import { markPaid } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import { PaymentUnavailable } from "./provider-errors.ts";

interface OpenPayment {
  id: string;
  purchase_id: string;
  has_unpaid: boolean;
}

interface PendingRefund {
  id: string;
  payment_id: string;
  is_of_account_in_use: boolean;
}

/** SQL: of a row checked earlier. If the clock was set back, one that seems to be checked later is due. */
const isDue = (condition: string) => `(checked_at > now() + interval '1 minute' OR (${condition}))`;

// A page opened within the hour may be paying now; older ones are polled less often.
const CLAIM_PAYMENTS = `
UPDATE shop.payment SET checked_at = now() WHERE id IN (
  SELECT id FROM shop.payment
  WHERE status = 'open' AND ${isOfAccountInUse("payment", 2)}
    AND ${isDue(`checked_at < now() - interval '10 seconds'
      AND (asked_at > now() - interval '1 hour'
        OR (asked_at > now() - interval '1 day' AND checked_at < now() - interval '2 minutes')
        OR checked_at < now() - interval '10 minutes')`)}
  ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
RETURNING id, purchase_id, EXISTS (
  SELECT FROM shop.payment_purchase share JOIN shop.purchase ON purchase.id = share.purchase_id
  WHERE share.payment_id = payment.id AND purchase.status = 'unpaid' AND cancelled_at IS NULL) AS has_unpaid`;

const CLAIM_REFUNDS = `
UPDATE shop.refund SET checked_at = now() WHERE id IN (
  SELECT id FROM shop.refund
  WHERE status = 'due' AND ${isDue(
    "checked_at < now() - CASE WHEN problem IS NULL THEN interval '10 seconds' ELSE interval '10 minutes' END",
  )}
  ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
RETURNING id, payment_id, (SELECT ${isOfAccountInUse("payment", 2)} FROM shop.payment
  WHERE payment.id = refund.payment_id) AS is_of_account_in_use`;

const CONCURRENCY = 5;

/** For lost webhooks and interrupted refunds. Claims in the statement, so several processes share the work. */
export async function pollOpenPayments(store: Store, limit = 50): Promise<number> {
  const values = [limit, ...(await accountValues(store))];
  const payments = await store.pool.query<OpenPayment>(CLAIM_PAYMENTS, values);
  const refunds = await store.pool.query<PendingRefund>(CLAIM_REFUNDS, values);
  const tasks = [
    ...payments.rows.map((payment) => () => syncOpenPayment(store, payment)),
    ...refunds.rows.map((refund) => () => resumeRefund(store, refund)),
  ];
  const failures: unknown[] = [];
  // all workers share one iterator
  const queue = tasks.values();
  const worker = async () => {
    for (const task of queue) {
      await task().catch((error) => error instanceof PaymentUnavailable || failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (failures.length > 0) throw new AggregateError(failures, "some payments could not be polled");
  return payments.rows.length + refunds.rows.length;
}

/** One made in the provider's dashboard could not be recorded while the pending one counted as refunded too. */
async function resumeRefund(store: Store, refund: PendingRefund): Promise<void> {
  const state = await submitRefund(store, refund.id);
  if (isRefusal(state) && refund.is_of_account_in_use) await syncRefunds(store, refund.payment_id);
}

async function syncOpenPayment(store: Store, payment: OpenPayment): Promise<void> {
  const intent = await store.payments.findIntent(payment.id);
  if (intent) await recordProcessing(store, intent);
  if (intent?.status === "succeeded") await markPaid(store, intent);
  else if (!intent || intent.status === "canceled") await markCancelled(store, payment.id);
  else if (!payment.has_unpaid) await cancelOpenPayments(store, [payment.purchase_id]);
}
