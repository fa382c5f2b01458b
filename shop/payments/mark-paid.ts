import type { PurchaseRow } from "../../database/schema.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { findPurchaseRow } from "../orders/queries.ts";
import { paymentStatesBefore } from "../orders/states.ts";
import { refundOrphanedPayment } from "../refunds/orphaned-payment.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import type { Intent } from "./provider.ts";

export interface PaidResult {
  /** 1 when this call made the purchase paid, 0 when it already was, by this very payment */
  modifiedCount: 0 | 1;
  transactionId: string;
}

// Locks the purchase first, so that page, webhook and poll run one after the other.
const MARK_PAID = `
WITH paid AS (
  UPDATE shop.purchase SET status = 'paid', transaction_id = $1, paid_at = now(),
    disputed_at = payment.disputed_at, paid_mode = payment.mode
  FROM shop.payment
  WHERE purchase.id = $2 AND purchase.status = 'unpaid' AND cancelled_at IS NULL AND total_cents = $3
    AND payment.id = $1 AND payment.status = ANY ($4) AND payment.user_id = purchase.user_id
  RETURNING purchase.id
), payment AS (
  UPDATE shop.payment SET status = 'succeeded', settled_at = now()
  FROM paid WHERE payment.id = $1
)
SELECT ${actorSql("$5")},
  shop.queue_email(json_build_object('mail', 'purchasePaid', 'purchaseId', id)) FROM paid`;

/**
 * The one way a purchase becomes paid, from page, webhook or poll; idempotent.
 * Money for a purchase that is cancelled or already paid is refunded.
 */
export async function markPaid(store: Store, intent: Intent): Promise<PaidResult | Refusal> {
  if (intent.status === "processing") return refuse("conflict", refusals.paymentProcessing);
  if (intent.status !== "succeeded") return refuse("conflict", refusals.transactionNotSucceeded);
  const payment = await findPayment(store, intent.id);
  const fits =
    payment &&
    payment.amount_cents === intent.amountReceivedCents &&
    intent.currency === "usd" &&
    // an earlier version could reassign such a payment to another order of the same total
    (payment.loose || payment.purchase_id === intent.purchaseId);
  if (!fits) return refuse("conflict", paymentRefusals.transactionDiffers);
  const values = [
    intent.id,
    payment.purchase_id,
    payment.amount_cents,
    paymentStatesBefore("pay"),
    actorText(),
  ];
  const { rowCount } = await store.pool.query(MARK_PAID, values);
  if (rowCount === 1) return { modifiedCount: 1, transactionId: intent.id };
  return paidBefore(store, intent, payment.purchase_id);
}

async function paidBefore(store: Store, intent: Intent, purchaseId: string): Promise<PaidResult | Refusal> {
  const row = (await findPurchaseRow(store, purchaseId)) as PurchaseRow;
  if (row.transaction_id === intent.id) return { modifiedCount: 0, transactionId: intent.id };
  const isRefunded = await refundOrphanedPayment(store, intent.id, purchaseId);
  return refuse(
    isRefunded ? "conflict" : "unavailable",
    row.cancelled_at ? paymentRefusals.paidAfterCancel : paymentRefusals.alreadyPaid,
  );
}

interface PaymentRow {
  purchase_id: string;
  loose: boolean;
  amount_cents: number;
}

export async function findPayment(store: Store, id: string): Promise<PaymentRow | undefined> {
  const { rows } = await store.pool.query<PaymentRow>(
    "SELECT purchase_id, loose, amount_cents FROM shop.payment WHERE id = $1",
    [id],
  );
  return rows[0];
}
