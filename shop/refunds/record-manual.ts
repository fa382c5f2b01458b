/** What an admin does about a refund that came back: ask once more, or give the money back another way. */
import { actorSql, actorText } from "../audit-log/actor.ts";
import { refundsBefore } from "../orders/states.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { submitRefund } from "./submit.ts";

const TRY_AGAIN = `
UPDATE shop.refund SET status = 'due', attempt = attempt + 1, provider_id = NULL, problem = NULL,
  asked_at = now(), checked_at = now()
WHERE id = $1 AND status = ANY ($2) RETURNING ${actorSql("$3")}`;

const RECORD_MANUAL = `
WITH settled AS (
  UPDATE shop.refund SET status = 'settled', done_at = now(), settled_how = $2 WHERE id = $1 AND status = ANY ($3)
  RETURNING id, payment_id, purchase_id, coalesce(provider_id, id::text) AS refund_id
), payment AS (
  UPDATE shop.payment SET status = 'refunded', refund_id = settled.refund_id
  FROM settled WHERE payment.id = settled.payment_id AND payment.status = 'refund_due'
)
SELECT ${actorSql("$4")}, shop.queue_email(
  json_build_object('mail', 'refundSettled', 'purchaseId', purchase_id, 'refundId', id)) FROM settled`;

/**
 * Asks the provider once more for a refund that came back; pressed twice, once. Answers as `makeRefund`; refuses
 * one that did not come back, or was given back another way.
 */
export async function retryRefund(store: Store, id: string): Promise<{ state: "done" | "due" } | Refusal> {
  const { rowCount } = await store.pool.query(TRY_AGAIN, [id, refundsBefore("tryAgain"), actorText()]);
  if (rowCount === 0 && !(await isRetryUnderWay(store, id))) return refuseReturned(store, id);
  const made = await submitRefund(store, id);
  return typeof made === "string" ? { state: made } : made;
}

/** Writes down that the money of a refund that came back was given back another way, and `how`; the buyer reads it. */
export async function recordManualRefund(store: Store, id: string, how: string): Promise<Refusal | null> {
  const { rowCount } = await store.pool.query(RECORD_MANUAL, [id, how, refundsBefore("settle"), actorText()]);
  return rowCount === 0 ? refuseReturned(store, id) : null;
}

async function isRetryUnderWay(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    "SELECT FROM shop.refund WHERE id = $1 AND attempt > 1 AND status IN ('due', 'done')",
    [id],
  );
  return rowCount === 1;
}

async function refuseReturned(store: Store, id: string): Promise<Refusal> {
  const { rowCount } = await store.pool.query("SELECT FROM shop.refund WHERE id = $1", [id]);
  return rowCount === 0
    ? refuse("missing", paymentRefusals.refundNotFound)
    : refuse("conflict", paymentRefusals.refundNotReturned);
}
