import { PaymentUnavailable, RefundRefused } from "../../providers/payment/stripe.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Store } from "../store.ts";

const REFUNDED = `
WITH refunded AS (
  UPDATE shop.payment SET status = 'refunded', refund_id = $2 WHERE id = $1 AND status = 'refund_due'
  RETURNING purchase_id
)
SELECT (graphile_worker.add_job('send-mail', json_build_object('mail', 'refundIssued', 'purchaseId', purchase_id))).id FROM refunded`;

/**
 * Sends money back that came for a purchase which is gone or was paid already. First the debt is written
 * down, then the provider is asked (under a key, so asking twice pays once); the sweep goes on where this
 * was cut off. Returns null when it is done, a refusal when the provider could not be reached yet.
 */
export async function refundDue(store: Store, paymentId: string): Promise<Refusal | null> {
  await store.pool.query(
    "UPDATE shop.payment SET status = 'refund_due', settled_at = now() WHERE id = $1 AND status IN ('open', 'cancelled')",
    [paymentId],
  );
  const { rows } = await store.pool.query(
    "SELECT FROM shop.payment WHERE id = $1 AND status = 'refund_due'",
    [paymentId],
  );
  if (rows.length === 0) return null;
  try {
    await store.pool.query(REFUNDED, [paymentId, await refundOnce(store, paymentId)]);
    return null;
  } catch (error) {
    if (error instanceof PaymentUnavailable) return refuse("unavailable", refusals.paidAfterCancel);
    throw error;
  }
}

/** The id of the refund; one that was made before (an answer got lost) counts as this one. */
async function refundOnce(store: Store, paymentId: string): Promise<string> {
  try {
    const idempotencyKey = `refund-${paymentId}`;
    const refund = await store.payments.refund({
      intentId: paymentId,
      reason: "purchase is gone",
      idempotencyKey,
    });
    return refund.id;
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error;
    for await (const refund of store.payments.refundsOf(paymentId)) return refund.id;
    throw error;
  }
}
