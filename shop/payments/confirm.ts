import { purchaseRefusal } from "../orders/queries.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { markPaid, type PaidResult, type PaymentRow } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import { providerRefusal } from "./provider-refusal.ts";

interface PaymentClaim {
  purchase: { user_id: string; cancelled_at: string | null } | null;
  order_user_id: string | null;
  payment: PaymentRow | null;
  covers: boolean;
}

const FIND = `
SELECT (SELECT json_build_object('user_id', user_id, 'cancelled_at', cancelled_at)
    FROM shop.purchase WHERE id = $1) AS purchase,
  (SELECT user_id FROM shop.order WHERE id = $1) AS order_user_id,
  (SELECT json_build_object('purchase_id', purchase_id, 'loose', loose, 'amount_cents', amount_cents, 'status', status)
    FROM shop.payment WHERE id = $2) AS payment,
  EXISTS (SELECT FROM shop.payment_purchase share JOIN shop.purchase ON purchase.id = share.purchase_id
    WHERE share.payment_id = $2 AND $1 IN (purchase.id, purchase.order_id)) AS covers`;

/** Only the provider's intent decides, not the page that reports it: its status, amount, currency and purchases. */
export async function confirmPayment(
  store: Store,
  buyer: User,
  id: string,
  transactionId: string,
  requestId?: string,
): Promise<PaidResult | Refusal> {
  const { rows } = await store.pool.query<PaymentClaim>({
    name: "find-claim",
    text: FIND,
    values: [id, transactionId],
  });
  const { purchase, order_user_id, payment, covers } = rows[0] as PaymentClaim;
  const isOwnOrder = !purchase && order_user_id === buyer.id;
  const refusal = isOwnOrder ? null : purchaseRefusal(purchase ?? undefined, buyer, true);
  if (refusal) return refusal;
  // the webhook was faster than the page
  if (payment?.status === "succeeded" && covers) return { modifiedCount: 0, transactionId };
  try {
    const intent = await store.payments.findIntent(transactionId);
    if (!intent) return refuseField("transactionId", paymentRefusals.transactionUnknown);
    await recordProcessing(store, intent);
    if (!covers) return refuse("conflict", paymentRefusals.transactionOfOtherPurchase);
    return await markPaid(store, intent, { known: payment ?? undefined, requestId });
  } catch (error) {
    return providerRefusal(error);
  }
}
