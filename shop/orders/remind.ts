import type { Store } from "../store.ts";

const HOUR_SECONDS = 3600;
const LONGEST_LEAD_HOURS = 24;

// One statement marks the purchase and queues the email, so that each buyer gets one.
const REMIND = `
WITH told AS (
  UPDATE shop.purchase SET reminded_at = now() WHERE id IN (
    SELECT id FROM shop.purchase
    WHERE status = 'unpaid' AND cancelled_at IS NULL AND reminded_at IS NULL
      AND placed_at < now() - make_interval(secs => $1) AND placed_at > now() - make_interval(secs => $2)
    ORDER BY placed_at LIMIT 100 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
)
SELECT shop.queue_email(json_build_object('mail', 'purchaseExpiresSoon', 'purchaseId', id))
FROM told`;

/**
 * Emails buyers once before the hold of their unpaid purchase expires: a day before, or when a quarter of a shorter hold
 * is left. Returns the number of emails.
 */
export async function sendExpiryReminders(store: Store): Promise<number> {
  const hold = store.unpaidHoldHours * HOUR_SECONDS;
  if (hold === 0) return 0;
  const lead = Math.min(LONGEST_LEAD_HOURS * HOUR_SECONDS, hold / 4);
  const { rowCount } = await store.pool.query(REMIND, [hold - lead, hold]);
  return rowCount ?? 0;
}
