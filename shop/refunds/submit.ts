import { actorSql, actorText } from "../audit-log/actor.ts";
import { type RefundState, refundStatesBefore } from "../orders/states.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import type { Refund } from "../payments/provider.ts";
import { PaymentUnavailable, RefundRejected, type RefundRejection } from "../payments/provider-errors.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { failureReason, markRefundFailed } from "./fail.ts";

interface RefundToSubmit {
  id: string;
  payment_id: string;
  amount_cents: number;
  reason: string;
  origin: "late" | "admin" | "provider";
  status: RefundState;
  problem: string | null;
  /** a failed refund is retried under another idempotency key */
  attempt: number;
  is_old: boolean;
  is_whole: boolean;
  is_of_account_in_use: boolean;
  /** asked for within the last day, or its payment's dispute is open: a rejection may be temporary */
  may_succeed_later: boolean;
}

// A failed refund, too, since it may have been repeated in the provider's dashboard.
const MARK_DONE = `
WITH done AS (
  UPDATE shop.refund SET status = 'done', provider_id = $2, done_at = now(), problem = NULL
  WHERE id = $1 AND attempt = $4 AND status = ANY ($5) AND (status = 'due' OR provider_id IS DISTINCT FROM $2)
  RETURNING id, payment_id, purchase_id, return_to_stock
), payment AS (
  UPDATE shop.payment SET status = 'refunded', refund_id = $2
  FROM done WHERE payment.id = done.payment_id AND payment.status = 'refund_due'
), restocked AS (
  UPDATE shop.purchase SET returned_at = now()
  FROM done WHERE purchase.id = done.purchase_id AND done.return_to_stock AND purchase.returned_at IS NULL
  RETURNING purchase.id, purchase.product_id, purchase.quantity
), product AS (
  UPDATE shop.product SET quantity = product.quantity + restocked.quantity
  FROM restocked WHERE product.id = restocked.product_id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  SELECT product_id, quantity, 'returned', id FROM restocked
)
SELECT ${actorSql("$3")}, shop.queue_email(
  json_build_object('mail', 'refundIssued', 'purchaseId', purchase_id, 'refundId', id)) FROM done`;

const MARK_REFUSED = `
WITH refused AS (
  UPDATE shop.refund SET status = 'refused', problem = $2 WHERE id = $1 AND status = 'due'
  RETURNING purchase_id, amount_cents, return_to_stock, ${actorSql("$3")}
)
UPDATE shop.purchase SET refunded_cents = refunded_cents - refused.amount_cents,
  restock_at = CASE WHEN refused.return_to_stock THEN NULL ELSE restock_at END
FROM refused WHERE purchase.id = refused.purchase_id`;

// It stays owed: an admin retries it, or pays it another way.
const MARK_OWED = `
UPDATE shop.refund SET status = 'failed', problem = $2 WHERE id = $1 AND status = 'due' RETURNING ${actorSql("$3")}`;

/** Idempotent, also when called concurrently. "due": the poll retries it. Refuses with the provider's reason. */
export async function submitRefund(store: Store, id: string): Promise<"done" | "due" | Refusal> {
  const refund = await findRefund(store, id);
  if (refund?.status !== "due") {
    return refund?.status === "done"
      ? "done"
      : refuse("conflict", paymentRefusals.refundRefused(refund?.problem ?? ""));
  }
  if (!refund.is_of_account_in_use)
    return handleRefundRejection(store, refund, paymentRefusals.paymentOfOtherAccount, true);
  try {
    const made = await sendRefund(store, refund);
    await markRefundDone(store, refund, made.id);
    if (made.status !== "failed") return "done";
    await markRefundFailed(store, made);
    return refuse("conflict", paymentRefusals.refundRefused(failureReason(made)));
  } catch (error) {
    if (error instanceof PaymentUnavailable) return "due";
    if (!(error instanceof RefundRejected)) throw error;
    const isFinal = error.reason === "nothingLeft" || error.reason === "tooMuch";
    return handleRefundRejection(store, refund, rejectionMessage(error), isFinal);
  }
}

/** Records, once, that the provider made a refund, under its id `providerId`. */
export async function markRefundDone(
  store: Store,
  refund: Pick<RefundToSubmit, "id" | "attempt">,
  providerId: string,
): Promise<void> {
  const values = [refund.id, providerId, actorText(), refund.attempt, refundStatesBefore("complete")];
  await store.pool.query(MARK_DONE, values);
}

/**
 * The idempotency key is the refund's id. The provider forgets keys after a day, so an old refund is searched first. A
 * payment that is late as a whole is refunded in full, whatever was refunded elsewhere.
 */
async function sendRefund(store: Store, refund: RefundToSubmit): Promise<Refund> {
  if (refund.is_old) {
    for await (const earlier of store.payments.refundsOf(refund.payment_id)) {
      if (earlier.reference === refund.id && earlier.status !== "failed") return earlier;
    }
  }
  return store.payments.refund({
    intentId: refund.payment_id,
    ...(!(refund.origin === "late" && refund.is_whole) && { amountCents: refund.amount_cents }),
    reason: refund.reason,
    reference: refund.id,
    idempotencyKey: refund.attempt === 1 ? `refund-${refund.id}` : `refund-${refund.id}-${refund.attempt}`,
  });
}

const rejectionMessages: Record<Exclude<RefundRejection, "other">, string> = {
  disputed: paymentRefusals.refundOfDisputed,
  nothingLeft: paymentRefusals.refundOfNothing,
  tooMuch: paymentRefusals.refundAboveRest,
  noBalance: paymentRefusals.refundWithoutBalance,
};

function rejectionMessage({ reason, message }: RefundRejected): string {
  return reason === "other" ? paymentRefusals.providerMessage(message) : rejectionMessages[reason];
}

async function handleRefundRejection(
  store: Store,
  refund: RefundToSubmit,
  why: string,
  isFinal: boolean,
): Promise<"due" | Refusal> {
  if (refund.attempt === 1 && refund.origin === "late" && !isFinal && refund.may_succeed_later) {
    await store.pool.query("UPDATE shop.refund SET problem = $2 WHERE id = $1 AND status = 'due'", [
      refund.id,
      why,
    ]);
    return "due";
  }
  const isOwed = refund.attempt > 1 || refund.origin === "late";
  await store.pool.query(isOwed ? MARK_OWED : MARK_REFUSED, [refund.id, why, actorText()]);
  return refuse("conflict", paymentRefusals.refundRefused(why));
}

async function findRefund(store: Store, id: string): Promise<RefundToSubmit | undefined> {
  const { rows } = await store.pool.query<RefundToSubmit>(
    `SELECT refund.id, payment_id, refund.amount_cents, reason, origin, refund.status, problem, attempt,
       refund.asked_at < now() - interval '12 hours' AS is_old,
       refund.asked_at > now() - interval '1 day' OR payment.disputed_at IS NOT NULL AS may_succeed_later,
       refund.amount_cents = payment.amount_cents AS is_whole, ${isOfAccountInUse("payment", 2)} AS is_of_account_in_use
     FROM shop.refund JOIN shop.payment ON payment.id = refund.payment_id WHERE refund.id = $1`,
    [id, ...(await accountValues(store))],
  );
  return rows[0];
}
