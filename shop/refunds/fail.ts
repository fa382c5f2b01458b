/**
 * Refunds that came back: the provider had made them, and the bank did not take the money. It is at the store again
 * and still promised to the buyer, so the purchase counts it as refunded all the while.
 */

import { actorSql, actorText } from "../audit-log/actor.ts";
import type { Refund } from "../payments/provider.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";

// A late payment's money is kept again for an order that is gone. The buyer is told, who waits for it.
const MARK_FAILED = `
WITH returned AS (
  UPDATE shop.refund SET status = 'failed', done_at = NULL, problem = $2
  WHERE provider_id = $1 AND status = 'done'
  RETURNING id, payment_id, purchase_id
), payment AS (
  UPDATE shop.payment SET status = 'refund_due', refund_id = NULL
  FROM returned WHERE payment.id = returned.payment_id AND payment.status = 'refunded'
)
SELECT ${actorSql("$3")}, shop.queue_email(
  json_build_object('mail', 'refundReturned', 'purchaseId', purchase_id, 'refundId', id)) FROM returned`;

/** Writes down that a refund which the provider had made has failed there; once, and nothing where it is not ours. */
export async function markRefundFailed(store: Store, refund: Refund): Promise<boolean> {
  const values = [refund.id, failureReason(refund), actorText()];
  return (await store.pool.query(MARK_FAILED, values)).rowCount === 1;
}

/** Why it came back, in words that buyer and admin read. */
export function failureReason({ failure }: Refund): string {
  return paymentRefusals.refundReturned[failure ?? ""] ?? paymentRefusals.refundNotTaken;
}
