import { findPurchaseRow, purchaseRefusal } from "../orders/queries.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { findPayment, markPaid, type PaidResult } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import { providerRefusal } from "./provider-refusal.ts";

/**
 * PATCH /payment/{id}: the page reports that `transactionId` paid the purchase. Only the provider's intent decides:
 * its status, amount, currency and purchase.
 */
export async function confirmPayment(
  store: Store,
  buyer: User,
  id: string,
  transactionId: string,
): Promise<PaidResult | Refusal> {
  const refusal = purchaseRefusal(await findPurchaseRow(store, id), buyer, true);
  if (refusal) return refusal;
  try {
    const intent = await store.payments.findIntent(transactionId);
    if (!intent) return refuseField("transactionId", paymentRefusals.transactionUnknown);
    await recordProcessing(store, intent);
    const payment = await findPayment(store, intent.id);
    if (payment?.purchase_id !== id) return refuse("conflict", paymentRefusals.transactionOfOtherPurchase);
    return await markPaid(store, intent);
  } catch (error) {
    return providerRefusal(error);
  }
}
