import { isUniqueViolation } from "../../database/pg-errors.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { findPurchaseRow, purchaseRefusal } from "../orders/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { cancelOpenPayment } from "./cancel-intent.ts";
import { findPayment, markPaid, type PaidResult } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import { providerRefusal } from "./provider-refusal.ts";

/**
 * PATCH /payment/{id}: the page says that `transactionId` paid the purchase. Only the provider's own word
 * counts: status, amount, currency, user, and that it paid nothing else.
 */
export async function confirmPayment(
  store: Store,
  buyer: User,
  id: string,
  transactionId: string,
): Promise<PaidResult | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, buyer, true);
  if (refusal) return refusal;
  try {
    const intent = await store.payments.findIntent(transactionId);
    if (!intent) return refuseField("transactionId", paymentRefusals.transactionUnknown);
    await recordProcessing(store, intent);
    const payment = await findPayment(store, intent.id);
    if (payment?.loose) {
      const assigned = await assignPayment(store, intent.id, row as PurchaseRow);
      if (assigned) return assigned;
    } else if (payment?.purchase_id !== id) {
      return refuse("conflict", paymentRefusals.transactionOfOtherPurchase);
    }
    const paid = await markPaid(store, intent);
    const now = await findPayment(store, intent.id);
    return isRefusal(paid) || now?.purchase_id === id
      ? paid
      : refuse("conflict", paymentRefusals.transactionOfOtherPurchase);
  } catch (error) {
    return providerRefusal(error);
  }
}

// Locks the purchase before the payment, in the same order as the statement that settles: no deadlock.
const ASSIGN = `
WITH named AS (SELECT id FROM shop.purchase WHERE id = $2 FOR UPDATE)
UPDATE shop.payment SET purchase_id = named.id FROM named
WHERE payment.id = $1 AND payment.loose AND payment.status = 'open'
  AND NOT EXISTS (SELECT FROM shop.payment other WHERE other.purchase_id = $2 AND other.status = 'open')
RETURNING ${actorSql("$3")}`;

/**
 * A payment opened by its total alone pays the purchase that its page names, if user and amount are the same.
 * Another payment that this purchase has open is cancelled first, so that it cannot be paid twice.
 */
async function assignPayment(store: Store, id: string, row: PurchaseRow): Promise<Refusal | null> {
  const { rows } = await store.pool.query(
    `SELECT FROM shop.payment WHERE id = $1 AND loose AND status = 'open' AND user_id = $3 AND amount_cents = $4
       AND purchase_id <> $2`,
    [id, row.id, row.user_id, row.total_cents],
  );
  if (rows.length === 0 || row.status !== "unpaid") return null;
  const other = await cancelOpenPayment(store, row.id);
  if (other) return other;
  try {
    await store.pool.query(ASSIGN, [id, row.id, actorText()]);
    return null;
  } catch (error) {
    // another tab opened a payment for this order in between
    if (isUniqueViolation(error, "payment_open_idx"))
      return refuse("conflict", paymentRefusals.paymentUnderWay);
    throw error;
  }
}
