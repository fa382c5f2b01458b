import { actorSql, actorText } from "../audit-log/actor.ts";
import { statesBefore } from "../orders/states.ts";
import type { Store } from "../store.ts";
import { submitRefund } from "./submit.ts";

const DUE = `
WITH late AS (
  UPDATE shop.payment SET status = 'refund_due', settled_at = now()
  WHERE id = $1 AND purchase_id = $2 AND status = ANY ($3)
  RETURNING id, purchase_id, amount_cents
)
INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin)
SELECT id, purchase_id, amount_cents, 'The order was cancelled or paid before this payment arrived.', 'late' FROM late
RETURNING ${actorSql("$4")}`;

/**
 * Sends money back that came for a purchase which is gone or was paid already: writes the debt down, then asks
 * the provider; the sweep goes on where this was cut off. Returns whether it is done; if not, the provider
 * could not be reached, or keeps the money for now.
 */
export async function refundOrphanedPayment(
  store: Store,
  paymentId: string,
  purchaseId: string,
): Promise<boolean> {
  await store.pool.query(DUE, [paymentId, purchaseId, statesBefore("comeLate"), actorText()]);
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT id FROM shop.refund WHERE payment_id = $1 AND origin = 'late' AND status = 'due'",
    [paymentId],
  );
  return !rows[0] || (await submitRefund(store, rows[0].id)) === "done";
}
