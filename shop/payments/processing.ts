import type { Store } from "../store.ts";
import type { Intent } from "./provider.ts";

const MARK_PROCESSING = `
UPDATE shop.payment SET processing_at = now() WHERE id = $1 AND status = 'open' AND processing_at IS NULL`;

const MARK_DECLINED = `
WITH ended AS (
  UPDATE shop.payment SET processing_at = NULL WHERE id = $1 AND status = 'open' AND processing_at IS NOT NULL
  RETURNING purchase_id
)
SELECT shop.queue_email(json_build_object('mail', 'paymentFailed', 'purchaseId', purchase_id))
FROM ended`;

/** Records that the bank is processing a payment. If it declines in the end, emails the buyer, once. */
export async function recordProcessing(store: Store, intent: Intent): Promise<void> {
  if (intent.status === "processing") await store.pool.query(MARK_PROCESSING, [intent.id]);
  else if (intent.status === "requires_payment_method") await store.pool.query(MARK_DECLINED, [intent.id]);
}
