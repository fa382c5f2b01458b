import type { Store } from "../store.ts";

const HOUR_SECONDS = 3600;
const LONGEST_LEAD_HOURS = 24;

// Marked and mailed in one statement, so that each buyer is told once.
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
 * Tells buyers once that the time of their unpaid purchase runs out: a day before, or when a quarter of a
 * shorter hold is left. Returns how many were told.
 */
export async function sendExpiryReminders(store: Store): Promise<number> {
  const hold = store.unpaidHoldHours * HOUR_SECONDS;
  if (hold === 0) return 0;
  const lead = Math.min(LONGEST_LEAD_HOURS * HOUR_SECONDS, hold / 4);
  const { rowCount } = await store.pool.query(REMIND, [hold - lead, hold]);
  return rowCount ?? 0;
}
