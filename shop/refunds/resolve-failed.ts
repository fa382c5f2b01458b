import { actorSql, actorText } from "../audit-log/actor.ts";
import { refundStatesBefore } from "../orders/states.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { submitRefund } from "./submit.ts";

const RETRY = `
UPDATE shop.refund SET status = 'due', attempt = attempt + 1, provider_id = NULL, problem = NULL,
  asked_at = now(), checked_at = now()
WHERE id = $1 AND status = ANY ($2) RETURNING ${actorSql("$3")}`;

const RECORD_MANUAL = `
WITH recorded AS (
  UPDATE shop.refund SET status = 'settled', done_at = now(), settled_how = $2 WHERE id = $1 AND status = ANY ($3)
  RETURNING id, payment_id, purchase_id, coalesce(provider_id, id::text) AS refund_id
), payment AS (
  UPDATE shop.payment SET status = 'refunded', refund_id = recorded.refund_id
  FROM recorded WHERE payment.id = recorded.payment_id AND payment.status = 'refund_due'
)
SELECT ${actorSql("$4")}, shop.queue_email(
  json_build_object('mail', 'refundSettled', 'purchaseId', purchase_id, 'refundId', id)) FROM recorded`;

/** Submits a failed refund again; a second call has no effect. Refuses a refund that has not failed. */
export async function retryRefund(store: Store, id: string): Promise<{ state: "done" | "due" } | Refusal> {
  const { rowCount } = await store.pool.query(RETRY, [id, refundStatesBefore("retry"), actorText()]);
  if (rowCount === 0 && !(await isRetryUnderWay(store, id))) return refuseNotFailed(store, id);
  const state = await submitRefund(store, id);
  return isRefusal(state) ? state : { state };
}

/** Records that a failed refund was paid another way. `how` is shown to the buyer. */
export async function recordManualRefund(store: Store, id: string, how: string): Promise<Refusal | null> {
  const { rowCount } = await store.pool.query(RECORD_MANUAL, [
    id,
    how,
    refundStatesBefore("recordManually"),
    actorText(),
  ]);
  return rowCount === 0 ? refuseNotFailed(store, id) : null;
}

async function isRetryUnderWay(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    "SELECT FROM shop.refund WHERE id = $1 AND attempt > 1 AND status IN ('due', 'done')",
    [id],
  );
  return rowCount === 1;
}

async function refuseNotFailed(store: Store, id: string): Promise<Refusal> {
  const { rowCount } = await store.pool.query("SELECT FROM shop.refund WHERE id = $1", [id]);
  return rowCount === 0
    ? refuse("missing", paymentRefusals.refundNotFound)
    : refuse("conflict", paymentRefusals.refundNotFailed);
}
