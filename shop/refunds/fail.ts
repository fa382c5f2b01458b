import { actorSql, actorText } from "../audit-log/actor.ts";
import type { Refund } from "../payments/provider.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";

// Still owed to the buyer, so the purchase keeps counting it as refunded.
const MARK_FAILED = `
WITH failed AS (
  UPDATE shop.refund SET status = 'failed', done_at = NULL, problem = $2
  WHERE provider_id = $1 AND status = 'done'
  RETURNING id, payment_id, purchase_id
), payment AS (
  UPDATE shop.payment SET status = 'refund_due', refund_id = NULL
  FROM failed WHERE payment.id = failed.payment_id AND payment.status = 'refunded'
)
SELECT ${actorSql("$3")}, shop.queue_email(
  json_build_object('mail', 'refundReturned', 'purchaseId', purchase_id, 'refundId', id)) FROM failed`;

/** The buyer's bank rejected it, for all its lines. Returns false if it was already marked, or is not the store's. */
export async function markRefundFailed(store: Store, refund: Refund): Promise<boolean> {
  const values = [refund.id, failureReason(refund), actorText()];
  const { rowCount } = await store.pool.query(MARK_FAILED, values);
  return rowCount !== 0;
}

export function failureReason({ failure }: Refund): string {
  return paymentRefusals.refundFailures[failure ?? ""] ?? paymentRefusals.refundNotTaken;
}
