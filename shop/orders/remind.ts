import { IS_PROCESSING } from "../payments/processing.ts";
import type { Store } from "../store.ts";

const HOUR_SECONDS = 3600;
const MAX_LEAD_HOURS = 24;

// One statement marks the lines and queues the email, so that each order gets one reminder. Waits for lines that are
// being paid or cancelled: skipped, they would get a reminder of their own. None while a bank decides about the payment:
// the order is kept, and must not be paid again.
const REMIND = `
WITH reminded AS (
  UPDATE shop.purchase SET reminded_at = now() WHERE id IN (
    SELECT id FROM shop.purchase
    WHERE status = 'unpaid' AND cancelled_at IS NULL AND reminded_at IS NULL AND NOT ${IS_PROCESSING} AND order_id IN (
      SELECT order_id FROM shop.purchase
      WHERE status = 'unpaid' AND cancelled_at IS NULL AND reminded_at IS NULL AND NOT ${IS_PROCESSING}
        AND placed_at < now() - make_interval(secs => $1) AND placed_at > now() - make_interval(secs => $2)
      ORDER BY placed_at LIMIT 100
    )
    ORDER BY id FOR NO KEY UPDATE
  )
  RETURNING id, order_id
)
SELECT shop.queue_order_email('ExpiresSoon', order_id, array_agg(id)) FROM reminded GROUP BY order_id`;

/** A day before the hold expires, or at the last quarter of a shorter hold. Returns the number of emails. */
export async function sendExpiryReminders(store: Store): Promise<number> {
  const hold = store.unpaidHoldHours * HOUR_SECONDS;
  if (hold === 0) return 0;
  const leadSeconds = Math.min(MAX_LEAD_HOURS * HOUR_SECONDS, hold / 4);
  const { rowCount } = await store.pool.query(REMIND, [hold - leadSeconds, hold]);
  return rowCount ?? 0;
}
