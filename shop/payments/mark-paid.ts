import type { Output } from "../../api/contract.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { savedResponse } from "../idempotency/saved-response.ts";
import { findPurchaseRow } from "../orders/queries.ts";
import { type PaymentState, paymentStatesBefore } from "../orders/states.ts";
import { submitRefund } from "../refunds/submit.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import type { Intent } from "./provider.ts";
import { handleUnmatched, isAsAsked } from "./unmatched.ts";

export type PaidResult = Output<"confirmPayment">;

/** Shown to the buyer. */
const LATE_REASON = "The order was cancelled or paid before this payment arrived.";

// Locks the purchases first, so that page, webhook and poll run one after the other. Pays those that still match
// the payment; the shares of the others are refunded. If none matches, nothing changes.
const MARK_PAID = `
WITH locked AS (
  SELECT id FROM shop.purchase WHERE id IN (SELECT purchase_id FROM shop.payment_purchase WHERE payment_id = $1)
  ORDER BY id FOR NO KEY UPDATE
), paid AS (
  UPDATE shop.purchase SET status = 'paid', transaction_id = $1, paid_at = now(),
    disputed_at = payment.disputed_at, paid_mode = payment.mode
  FROM locked JOIN shop.payment_purchase share ON share.purchase_id = locked.id AND share.payment_id = $1
  JOIN shop.payment ON payment.id = share.payment_id
  WHERE purchase.id = locked.id AND purchase.status = 'unpaid' AND cancelled_at IS NULL
    AND total_cents = share.amount_cents AND payment.amount_cents = $2 AND payment.status = ANY ($3)
    AND payment.user_id = purchase.user_id
  RETURNING purchase.id, purchase.order_id
), payment AS (
  UPDATE shop.payment SET status = 'succeeded', settled_at = now()
  WHERE payment.id = $1 AND EXISTS (SELECT FROM paid)
), late AS (
  INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin)
  SELECT payment_id, purchase_id, amount_cents, '${LATE_REASON}', 'late' FROM shop.payment_purchase
  WHERE payment_id = $1 AND purchase_id NOT IN (SELECT id FROM paid) AND EXISTS (SELECT FROM paid)
  RETURNING id
), saved_response AS (
  UPDATE shop.request SET answer = $6 WHERE id = $5 AND answer IS NULL AND EXISTS (SELECT FROM paid)
)
SELECT ${actorSql("$4")}, shop.queue_order_email('Paid', order_id, array_agg(id ORDER BY id)),
  ARRAY(SELECT id FROM late) AS late
FROM paid GROUP BY order_id`;

/** The only way purchases become paid, from page, webhook or poll; idempotent. Late shares are refunded. */
export async function markPaid(
  store: Store,
  intent: Intent,
  { known, requestId }: { known?: PaymentRow | undefined; requestId?: string | undefined } = {},
): Promise<PaidResult | Refusal> {
  if (intent.status === "processing")
    return refuse("conflict", refusals.paymentProcessing, { code: "payment_processing" });
  if (intent.status !== "succeeded")
    return refuse("conflict", refusals.transactionNotSucceeded, { code: "payment_not_succeeded" });
  const payment = known ?? (await findPayment(store, intent.id));
  if (!payment) return refuse("conflict", paymentRefusals.transactionNotRequested);
  if (!isAsAsked(intent, payment)) return handleUnmatched(store, intent);
  const response: PaidResult = { modifiedCount: 1, transactionId: intent.id };
  const { rows } = await store.pool.query<{ late: string[] }>({
    name: "mark-paid",
    text: MARK_PAID,
    values: [
      intent.id,
      payment.amount_cents,
      paymentStatesBefore("pay"),
      actorText(),
      requestId ?? null,
      JSON.stringify(response),
    ],
  });
  if (rows[0]) {
    // one that cannot be sent now is sent by the poll
    for (const id of rows[0].late) await submitRefund(store, id);
    return savedResponse(response);
  }
  return handleUnmatchedPayment(store, intent, payment.purchase_id);
}

/** No purchase was marked: the payment was recorded before, or all its purchases are cancelled or paid. */
async function handleUnmatchedPayment(
  store: Store,
  intent: Intent,
  purchaseId: string,
): Promise<PaidResult | Refusal> {
  const payment = await findPayment(store, intent.id);
  if (payment?.status === "succeeded") return { modifiedCount: 0, transactionId: intent.id };
  const isRefunded = await refundOrphanedPayment(store, intent.id, purchaseId);
  const row = await findPurchaseRow(store, purchaseId);
  return refuse(
    isRefunded ? "conflict" : "unavailable",
    row?.cancelled_at ? paymentRefusals.paidAfterCancel : paymentRefusals.alreadyPaid,
  );
}

const REFUND_ORPHANED = `
WITH late AS (
  UPDATE shop.payment SET status = 'refund_due', settled_at = now()
  WHERE id = $1 AND purchase_id = $2 AND status = ANY ($3)
  RETURNING id, purchase_id, amount_cents
)
INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin)
SELECT id, purchase_id, amount_cents, '${LATE_REASON}', 'late' FROM late
RETURNING ${actorSql("$4")}`;

/** Returns whether the refund is done; if not, the poll resumes it. */
async function refundOrphanedPayment(store: Store, paymentId: string, purchaseId: string): Promise<boolean> {
  await store.pool.query(REFUND_ORPHANED, [
    paymentId,
    purchaseId,
    paymentStatesBefore("succeedLate"),
    actorText(),
  ]);
  const { rows } = await store.pool.query<{ id: string }>(
    "SELECT id FROM shop.refund WHERE payment_id = $1 AND origin = 'late' AND status = 'due'",
    [paymentId],
  );
  return !rows[0] || (await submitRefund(store, rows[0].id)) === "done";
}

export interface PaymentRow {
  /** the first of the covered purchases */
  purchase_id: string;
  loose: boolean;
  amount_cents: number;
  status: PaymentState;
}

export async function findPayment(store: Store, id: string): Promise<PaymentRow | undefined> {
  const { rows } = await store.pool.query<PaymentRow>({
    name: "find-payment",
    text: "SELECT purchase_id, loose, amount_cents, status FROM shop.payment WHERE id = $1",
    values: [id],
  });
  return rows[0];
}
