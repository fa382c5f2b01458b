import { actorSql, actorText } from "../audit-log/actor.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { markPaid } from "./mark-paid.ts";
import { providerRefusal } from "./provider-refusal.ts";

/**
 * Cancels the open payment of a purchase at the provider, if there is one. Refuses if the payment has succeeded (its
 * purchases become paid), if the bank is still processing it, and if the provider is unavailable.
 */
export async function cancelOpenPayment(store: Store, purchaseId: string): Promise<Refusal | null> {
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT payment_id AS id FROM shop.payment_purchase WHERE purchase_id = $1 AND is_open",
    [purchaseId],
  );
  const open = rows[0];
  if (!open) return null;
  try {
    const intent = await store.payments.cancelIntent(open.id);
    if (intent?.status === "succeeded") {
      const paid = await markPaid(store, intent);
      return isRefusal(paid) ? paid : refuse("conflict", refusals.paidCannotBeCancelled);
    }
    if (intent && intent.status !== "canceled") return refuse("conflict", paymentRefusals.paymentUnderWay);
    await markCancelled(store, open.id);
    return null;
  } catch (error) {
    return providerRefusal(error);
  }
}

export async function markCancelled(store: Store, paymentId: string): Promise<void> {
  await store.pool.query(
    `UPDATE shop.payment SET status = 'cancelled' WHERE id = $1 AND status = 'open' RETURNING ${actorSql("$2")}`,
    [paymentId, actorText()],
  );
}
