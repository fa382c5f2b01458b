import type { Store } from "../store.ts";
import type { Intent } from "./provider.ts";

const MARK_PROCESSING = `
UPDATE shop.payment SET processing_at = now() WHERE id = $1 AND status = 'open' AND processing_at IS NULL`;

// one email per order
const MARK_DECLINED = `
WITH declined AS (
  UPDATE shop.payment SET processing_at = NULL WHERE id = $1 AND status = 'open' AND processing_at IS NOT NULL
  RETURNING id
), covered AS (
  SELECT order_id, array_agg(purchase.id ORDER BY line_number) AS lines
  FROM declined JOIN shop.payment_purchase share ON share.payment_id = declined.id
    JOIN shop.purchase ON purchase.id = share.purchase_id
  GROUP BY order_id
)
SELECT shop.queue_email(
  CASE cardinality(lines)
    WHEN 1 THEN json_build_object('mail', 'paymentFailed', 'purchaseId', lines[1])
    ELSE json_build_object('mail', 'orderPaymentFailed', 'orderId', order_id, 'purchaseIds', lines) END)
FROM covered`;

/** SQL: whether a bank is deciding about the payment of a row of shop.purchase. */
export const IS_PROCESSING = `EXISTS (
  SELECT FROM shop.payment_purchase share JOIN shop.payment ON payment.id = share.payment_id
  WHERE share.purchase_id = purchase.id AND share.is_open AND payment.processing_at IS NOT NULL)`;

/** Those of the purchases whose payment a bank is deciding about. */
export async function findProcessing({ pool }: Store, ids: string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM shop.purchase WHERE id = ANY ($1) AND ${IS_PROCESSING}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Emails the buyer, once, if the bank declines a payment that it was processing. */
export async function recordProcessing(store: Store, intent: Intent): Promise<void> {
  if (intent.status === "processing") await store.pool.query(MARK_PROCESSING, [intent.id]);
  else if (intent.status === "requires_payment_method") await store.pool.query(MARK_DECLINED, [intent.id]);
}
