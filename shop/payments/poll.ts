import { submitRefund } from "../refunds/submit.ts";
import type { Store } from "../store.ts";
import { accountValues, ofAccount } from "./account-in-use.ts";
import { cancelOpenPayment, markCancelled } from "./cancel-intent.ts";
import { markPaid } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import type { Intent } from "./provider.ts";
import { PaymentUnavailable } from "./provider-errors.ts";

interface OpenPayment {
  id: string;
  loose: boolean;
  seen_at: Date | null;
  purchase_id: string;
  /** whether its purchase still waits for money */
  wanted: boolean;
}

// A page that was opened within the hour may be paying now; an older one is asked about less and less.
const CLAIM_PAYMENTS = `
UPDATE shop.payment SET checked_at = now() FROM shop.purchase
WHERE purchase.id = payment.purchase_id AND payment.id IN (
  SELECT id FROM shop.payment
  WHERE status = 'open' AND ${ofAccount("payment", 2)} AND checked_at < now() - interval '10 seconds'
    AND (asked_at > now() - interval '1 hour'
      OR (asked_at > now() - interval '1 day' AND checked_at < now() - interval '2 minutes')
      OR checked_at < now() - interval '10 minutes')
  ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
RETURNING payment.id, payment.loose, payment.seen_at, payment.purchase_id,
  purchase.status = 'unpaid' AND purchase.cancelled_at IS NULL AS wanted`;

const CLAIM_REFUNDS = `
UPDATE shop.refund SET checked_at = now() WHERE id IN (
  SELECT id FROM shop.refund
  WHERE status = 'due' AND checked_at < now() - CASE WHEN problem IS NULL THEN interval '10 seconds' ELSE interval '10 minutes' END
  ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
RETURNING id`;

/** How many questions to the provider are under way at a time. */
const AT_ONCE = 5;

/**
 * Finds payments whose page was closed and whose webhook was lost, and refunds that were cut off: asks the
 * provider about those that were not looked at for ten seconds, the longest-waiting first. Claiming and marking
 * is one statement, so several processes share the work. Returns how many were looked at; an absent provider
 * is asked again in the next round. One that fails does not keep the others from being looked at.
 */
export async function pollOpenPayments(store: Store, atMost = 50): Promise<number> {
  const payments = await store.pool.query<OpenPayment>(CLAIM_PAYMENTS, [
    atMost,
    ...(await accountValues(store)),
  ]);
  const refunds = await store.pool.query<{ id: string }>(CLAIM_REFUNDS, [atMost]);
  const work = [
    ...payments.rows.map((payment) => () => finish(store, payment)),
    ...refunds.rows.map(
      ({ id }) =>
        () =>
          submitRefund(store, id),
    ),
  ];
  const failures: unknown[] = [];
  // one iterator for all, so that each takes what is next
  const rest = work.values();
  const lookOn = async () => {
    for (const look of rest) {
      await look().catch((error) => error instanceof PaymentUnavailable || failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookOn));
  if (failures.length > 0) throw new AggregateError(failures, "some payments could not be looked at");
  return payments.rows.length + refunds.rows.length;
}

async function finish(store: Store, payment: OpenPayment): Promise<void> {
  const intent = await store.payments.findIntent(payment.id);
  if (intent) await recordProcessing(store, intent);
  if (intent?.status === "succeeded") await confirmUnlessFresh(store, payment, intent);
  else if (!intent || intent.status === "canceled") await markCancelled(store, payment.id);
  else if (!payment.wanted) await cancelOpenPayment(store, payment.purchase_id);
}

/** A loose payment waits one round for its page to say which purchase it pays. */
async function confirmUnlessFresh(store: Store, payment: OpenPayment, intent: Intent): Promise<void> {
  if (payment.loose && !payment.seen_at) {
    await store.pool.query("UPDATE shop.payment SET seen_at = now() WHERE id = $1", [payment.id]);
    return;
  }
  await markPaid(store, intent);
}
