import { actorSql, actorText } from "../audit-log/actor.ts";
import { cancelOpenPayment } from "../payments/cancel-intent.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { findPurchaseRow, purchaseRefusal } from "./queries.ts";
import { cancelProblem } from "./rules.ts";

/** `by` is null if the hold expired; `request` is the id of the request under an idempotency key. */
interface Cancellation {
  by: string | null;
  because: "buyer" | "admin" | "expired";
  request?: string | undefined;
}

/**
 * One statement cancels and returns the stock, only while the order is unpaid and no payment was opened since it was
 * read ($5). It also saves the response of a request under a key, which could not be repeated after a crash.
 */
const CANCEL = `
WITH gone AS (
  UPDATE shop.purchase SET cancelled_at = now(), cancelled_by = $2, cancelled_because = $3
  WHERE id = $1 AND status = 'unpaid' AND cancelled_at IS NULL AND payments_opened = $5
    AND NOT EXISTS (SELECT FROM shop.payment WHERE purchase_id = $1 AND status = 'open')
  RETURNING id, product_id, quantity
), product AS (
  UPDATE shop.product SET quantity = product.quantity + gone.quantity FROM gone WHERE product.id = gone.product_id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  SELECT product_id, quantity, 'cancelled', id FROM gone
), answered AS (
  UPDATE shop.request SET answer = '{"deletedCount":1}' FROM gone WHERE request.id = $7
)
SELECT ${actorSql("$6")},
  shop.queue_email(json_build_object('mail', $4::text, 'purchaseId', id)) FROM gone`;

/** Attempts while payments are opened concurrently. */
const TRIES = 5;

/**
 * Cancels an unpaid purchase for its buyer or an admin and returns its stock (specification, section 4). Cancels an open
 * payment first; if that has succeeded, the purchase becomes paid and this refuses. Refuses other users, missing, paid
 * and shipped purchases, and changes nothing while the payment provider is unavailable.
 */
export async function cancelPurchase(
  store: Store,
  person: User,
  id: string,
  request?: string,
): Promise<{ deletedCount: number } | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, person);
  if (refusal) return refusal;
  const because = row?.user_id === person.id ? "buyer" : "admin";
  return cancelAndRestock(store, id, { by: person.id, because, request });
}

/** Cancels without checking who asks. */
export async function cancelAndRestock(
  store: Store,
  id: string,
  { by, because, request }: Cancellation,
): Promise<{ deletedCount: number } | Refusal> {
  const mail = because === "expired" ? "purchaseExpired" : "purchaseCancelled";
  for (let tried = 0; tried < TRIES; tried += 1) {
    const row = await findPurchaseRow(store, id);
    if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
    const problem = cancelProblem(row.status);
    if (problem) return refuse("conflict", problem);
    const payment = await cancelOpenPayment(store, id);
    if (isRefusal(payment)) return payment;
    const values = [id, by, because, mail, row.payments_opened, actorText(), request ?? null];
    const { rowCount } = await store.pool.query(CANCEL, values);
    if (rowCount === 1) return { deletedCount: 1 };
  }
  return refuse("conflict", paymentRefusals.paymentUnderWay);
}
