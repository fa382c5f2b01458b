import { actorSql, actorText } from "../audit-log/actor.ts";
import { cancelOpenPayments } from "../payments/cancel-intent.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { findLines, findOrderFor, findPurchaseRow, findPurchaseRows, purchaseRefusal } from "./queries.ts";
import { cancelProblem, isUnpaid } from "./rules.ts";

/** `by` is null if the hold expired; `requestId` is that of an idempotency key. */
interface Cancellation {
  by: string | null;
  because: "buyer" | "admin" | "expired";
  requestId?: string | undefined;
}

/**
 * Only unpaid lines without a payment opened since they were read ($4). Locks lines, then products, by id. Saves the
 * response under the idempotency key in the same statement: after a crash a retry would find nothing to cancel.
 */
const CANCEL = `
WITH locked AS (
  SELECT id FROM shop.purchase WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
), cancelled AS (
  UPDATE shop.purchase SET cancelled_at = now(), cancelled_by = $2, cancelled_because = $3
  FROM locked JOIN unnest($1::uuid[], $4::integer[]) AS seen (id, payments_opened) ON seen.id = locked.id
  WHERE purchase.id = locked.id AND status = 'unpaid' AND cancelled_at IS NULL
    AND purchase.payments_opened = seen.payments_opened
    AND NOT EXISTS (SELECT FROM shop.payment_purchase WHERE purchase_id = purchase.id AND is_open)
  RETURNING purchase.id, order_id, product_id, quantity
), locked_product AS (
  SELECT id FROM shop.product WHERE id IN (SELECT product_id FROM cancelled) ORDER BY id FOR NO KEY UPDATE
), product AS (
  UPDATE shop.product SET quantity = product.quantity + returned.pieces
  FROM (SELECT product_id, sum(quantity)::integer AS pieces FROM cancelled GROUP BY product_id) AS returned
  JOIN locked_product ON locked_product.id = returned.product_id
  WHERE product.id = returned.product_id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  SELECT product_id, quantity, 'cancelled', id FROM cancelled
), saved_response AS (
  -- the lines of an order may be cancelled in several statements
  UPDATE shop.request SET answer = format('{"deletedCount":%s}',
    coalesce((answer::jsonb->>'deletedCount')::integer, 0) + (SELECT count(*) FROM cancelled))
  WHERE request.id = $6 AND EXISTS (SELECT FROM cancelled)
)
SELECT ${actorSql("$5")}, array_agg(id) AS ids, shop.queue_order_email(
  CASE $3 WHEN 'expired' THEN 'Expired' ELSE 'Cancelled' END, order_id, array_agg(id ORDER BY id))
FROM cancelled GROUP BY order_id`;

const MAX_ATTEMPTS = 5;

/**
 * An open payment is cancelled first; if it has succeeded, the purchase becomes paid and this refuses. Changes nothing
 * while the payment provider is unavailable.
 */
export async function cancelPurchase(
  store: Store,
  user: User,
  id: string,
  requestId?: string,
): Promise<{ deletedCount: number } | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, user);
  if (refusal) return refusal;
  const because = row?.user_id === user.id ? "buyer" : "admin";
  return cancelAndRestock(store, [id], { by: user.id, because, requestId });
}

export async function cancelOrder(
  store: Store,
  user: User,
  id: string,
  requestId?: string,
): Promise<{ deletedCount: number } | Refusal> {
  const order = await findOrderFor(store, id, user);
  if (isRefusal(order)) return order;
  const lines = await findLines(store, order.id);
  const unpaid = lines.filter(isUnpaid);
  const remaining = lines.find((line) => !line.cancelled_at);
  if (unpaid.length === 0)
    return remaining
      ? refuse("conflict", cancelProblem(remaining.status) ?? refusals.serverFailed)
      : refuse("missing", orderRefusals.orderNotFound);
  const because = order.user_id === user.id ? "buyer" : "admin";
  return cancelAndRestock(
    store,
    unpaid.map((line) => line.id),
    { by: user.id, because, requestId },
  );
}

/** Without an access check. */
export async function cancelAndRestock(
  store: Store,
  ids: string[],
  { by, because, requestId }: Cancellation,
): Promise<{ deletedCount: number } | Refusal> {
  let deletedCount = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const rows = (await findPurchaseRows(store, ids)).filter((row) => !row.cancelled_at);
    const unpaid = rows.filter(({ status }) => status === "unpaid");
    if (unpaid.length === 0 && deletedCount > 0) return { deletedCount };
    if (!rows[0]) return refuse("missing", refusals.purchaseNotFound);
    if (unpaid.length === 0)
      return refuse("conflict", cancelProblem(rows[0].status) ?? refusals.serverFailed);
    const unpaidIds = unpaid.map(({ id }) => id);
    const refusal = await cancelOpenPayments(store, unpaidIds);
    // the response that was saved for the lines cancelled so far
    if (refusal) return requestId && deletedCount > 0 ? { deletedCount } : refusal;
    const values = [
      unpaidIds,
      by,
      because,
      unpaid.map(({ payments_opened }) => payments_opened),
      actorText(),
      requestId ?? null,
    ];
    const { rows: orders } = await store.pool.query<{ ids: string[] }>(CANCEL, values);
    deletedCount += orders.reduce((count, { ids }) => count + ids.length, 0);
    if (deletedCount === ids.length) return { deletedCount };
  }
  return requestId && deletedCount > 0
    ? { deletedCount }
    : refuse("conflict", paymentRefusals.paymentUnderWay);
}
