import type { Intent } from "../../providers/payment/stripe.ts";
import { PaymentUnavailable } from "../../providers/payment/stripe.ts";
import { findPurchaseRow, type PurchaseRow, purchaseRefusal } from "../purchases/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Person, Store } from "../store.ts";
import { refundDue } from "./refund.ts";

export interface Settled {
  /** 1 when this call made the purchase paid, 0 when it already was, by this very payment */
  modifiedCount: 0 | 1;
  transactionId: string;
}

// The purchase is locked first, so page, webhook and sweep queue up; the first one wins, the rest see it done.
const SETTLE = `
WITH paid AS (
  UPDATE shop.purchase SET status = 'paid', transaction_id = $1, paid_at = now()
  WHERE id = $2 AND status = 'unpaid' AND cancelled_at IS NULL AND total_cents = $3
    AND EXISTS (SELECT FROM shop.payment WHERE id = $1 AND status = 'open' AND user_id = purchase.user_id)
  RETURNING id
), payment AS (
  UPDATE shop.payment SET status = 'succeeded', settled_at = now(), purchase_id = paid.id
  FROM paid WHERE payment.id = $1
)
SELECT (graphile_worker.add_job('send-mail', json_build_object('mail', 'purchasePaid', 'purchaseId', id))).id FROM paid`;

/**
 * PATCH /payment/{id}: the page says that `transactionId` paid the purchase. Only the provider's own word
 * counts: status, amount, currency, user, and that it paid nothing else.
 */
export async function settlePurchase(
  store: Store,
  buyer: Person,
  id: string,
  transactionId: string,
): Promise<Settled | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, buyer, true);
  if (refusal) return refusal;
  try {
    const intent = await store.payments.findIntent(transactionId);
    if (!intent) return refuseField("transactionId", refusals.transactionUnknown);
    const payment = await findPayment(store, intent.id);
    if (payment?.loose) await assignPayment(store, intent.id, row as PurchaseRow);
    else if (payment?.purchase_id !== id) return refuse("conflict", refusals.transactionOfOtherPurchase);
    const settled = await settleIntent(store, intent);
    const now = await findPayment(store, intent.id);
    return isRefusal(settled) || now?.purchase_id === id
      ? settled
      : refuse("conflict", refusals.transactionOfOtherPurchase);
  } catch (error) {
    if (error instanceof PaymentUnavailable) return refuse("unavailable", refusals.paymentProviderDown);
    throw error;
  }
}

/**
 * The one way a purchase becomes paid, for page, webhook and sweep alike; safe to call any number of times.
 * Money that came for a purchase that is gone or already paid is sent back and recorded.
 */
export async function settleIntent(store: Store, intent: Intent): Promise<Settled | Refusal> {
  if (intent.status !== "succeeded") return refuse("conflict", refusals.transactionNotSucceeded);
  const payment = await findPayment(store, intent.id);
  const fits =
    payment &&
    payment.amount_cents === intent.amountReceivedCents &&
    intent.currency === "usd" &&
    (payment.loose || payment.purchase_id === intent.purchaseId);
  if (!fits) return refuse("conflict", refusals.transactionDiffers);
  const { rowCount } = await store.pool.query(SETTLE, [intent.id, payment.purchase_id, payment.amount_cents]);
  if (rowCount === 1) return { modifiedCount: 1, transactionId: intent.id };
  return settledBefore(store, intent, payment.purchase_id);
}

async function settledBefore(store: Store, intent: Intent, purchaseId: string): Promise<Settled | Refusal> {
  const row = (await findPurchaseRow(store, purchaseId)) as PurchaseRow;
  if (row.transaction_id === intent.id) return { modifiedCount: 0, transactionId: intent.id };
  const refunded = await refundDue(store, intent.id);
  if (isRefusal(refunded)) return refunded;
  return refuse("conflict", row.cancelled_at ? refusals.paidAfterCancel : refusals.alreadyPaid);
}

/** A payment opened by its total alone pays the purchase that its page names, if user and amount are the same. */
async function assignPayment(store: Store, id: string, row: PurchaseRow): Promise<void> {
  await store.pool.query(
    `UPDATE shop.payment SET purchase_id = $2
     WHERE id = $1 AND loose AND status = 'open' AND user_id = $3 AND amount_cents = $4
       AND NOT EXISTS (SELECT FROM shop.payment other WHERE other.purchase_id = $2 AND other.status = 'open')`,
    [id, row.id, row.user_id, row.total_cents],
  );
}

interface PaymentRow {
  purchase_id: string;
  loose: boolean;
  amount_cents: number;
}

async function findPayment(store: Store, id: string): Promise<PaymentRow | undefined> {
  const { rows } = await store.pool.query<PaymentRow>(
    "SELECT purchase_id, loose, amount_cents FROM shop.payment WHERE id = $1",
    [id],
  );
  return rows[0];
}
