import { actorSql, actorText } from "../audit-log/actor.ts";
import { paymentStatesBefore } from "../orders/states.ts";
import type { Store } from "../store.ts";
import { submitRefund } from "./submit.ts";

/** Shown to the buyer. */
export const LATE_REASON = "The order was cancelled or paid before this payment arrived.";

const DUE = `
WITH late AS (
  UPDATE shop.payment SET status = 'refund_due', settled_at = now()
  WHERE id = $1 AND purchase_id = $2 AND status = ANY ($3)
  RETURNING id, purchase_id, amount_cents
)
INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin)
SELECT id, purchase_id, amount_cents, '${LATE_REASON}', 'late' FROM late
RETURNING ${actorSql("$4")}`;

/** For a purchase that is cancelled or was already paid. Returns whether it is done; the poll resumes it. */
export async function refundOrphanedPayment(
  store: Store,
  paymentId: string,
  purchaseId: string,
): Promise<boolean> {
  await store.pool.query(DUE, [paymentId, purchaseId, paymentStatesBefore("succeedLate"), actorText()]);
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT id FROM shop.refund WHERE payment_id = $1 AND origin = 'late' AND status = 'due'",
    [paymentId],
  );
  return !rows[0] || (await submitRefund(store, rows[0].id)) === "done";
}
