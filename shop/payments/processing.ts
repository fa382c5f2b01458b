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

/** Emails the buyer, once, if the bank declines a payment that it was processing. */
export async function recordProcessing(store: Store, intent: Intent): Promise<void> {
  if (intent.status === "processing") await store.pool.query(MARK_PROCESSING, [intent.id]);
  else if (intent.status === "requires_payment_method") await store.pool.query(MARK_DECLINED, [intent.id]);
}
