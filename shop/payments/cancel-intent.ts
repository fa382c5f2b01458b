import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { markCancelled } from "./mark-cancelled.ts";
import { markPaid } from "./mark-paid.ts";
import { providerRefusal } from "./provider-refusal.ts";

/** Refuses at the first that has succeeded, is still processed by the bank, or cannot be cancelled. */
export async function cancelOpenPayments(store: Store, purchaseIds: string[]): Promise<Refusal | null> {
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT DISTINCT payment_id AS id FROM shop.payment_purchase WHERE purchase_id = ANY ($1) AND is_open",
    [purchaseIds],
  );
  for (const { id } of rows) {
    const refusal = await cancelIntent(store, id);
    if (refusal) return refusal;
  }
  return null;
}

async function cancelIntent(store: Store, id: string): Promise<Refusal | null> {
  try {
    const intent = await store.payments.cancelIntent(id);
    if (intent?.status === "succeeded") {
      const paid = await markPaid(store, intent);
      return isRefusal(paid) ? paid : refuse("conflict", refusals.paidCannotBeCancelled);
    }
    if (intent && intent.status !== "canceled") return refuse("conflict", paymentRefusals.paymentUnderWay);
    await markCancelled(store, id);
    return null;
  } catch (error) {
    return providerRefusal(error);
  }
}
