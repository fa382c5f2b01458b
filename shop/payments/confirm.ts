import { findOrderRow, findPurchaseRow, purchaseRefusal } from "../orders/queries.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { markPaid, type PaidResult } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import { providerRefusal } from "./provider-refusal.ts";

const COVERS = `
SELECT FROM shop.payment_purchase share JOIN shop.purchase ON purchase.id = share.purchase_id
WHERE share.payment_id = $1 AND $2 IN (purchase.id, purchase.order_id)`;

/**
 * PATCH /payment/{id}: the page reports that `transactionId` paid the purchase, or the order, of this id. Only the
 * provider's intent decides: its status, amount, currency and purchases.
 */
export async function confirmPayment(
  store: Store,
  buyer: User,
  id: string,
  transactionId: string,
): Promise<PaidResult | Refusal> {
  const purchase = await findPurchaseRow(store, id);
  const order = purchase ? undefined : await findOrderRow(store, id);
  const refusal = order?.user_id === buyer.id ? null : purchaseRefusal(purchase, buyer, true);
  if (refusal) return refusal;
  try {
    const intent = await store.payments.findIntent(transactionId);
    if (!intent) return refuseField("transactionId", paymentRefusals.transactionUnknown);
    await recordProcessing(store, intent);
    const { rowCount } = await store.pool.query(COVERS, [intent.id, id]);
    if (rowCount === 0) return refuse("conflict", paymentRefusals.transactionOfOtherPurchase);
    return await markPaid(store, intent);
  } catch (error) {
    return providerRefusal(error);
  }
}
