import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import type { Dispute } from "./provider.ts";

// Two concurrent webhooks of one dispute record its events once.
const LOCK = "SELECT FROM shop.payment WHERE id = $1 FOR NO KEY UPDATE";

const INSERT_DISPUTE_EVENTS = `
SELECT shop.remember($2, 'payment', payment.id, purchase_id, NULL, $3) FROM shop.payment
WHERE id = $1 AND NOT EXISTS (
  SELECT FROM shop.event WHERE subject = 'payment' AND subject_id = $1 AND what = $2
    AND after->>'dispute' = $3::jsonb->>'dispute')`;

// Only purchases that this payment paid: a late payment covers none.
const MARK = `
WITH payment AS (
  UPDATE shop.payment SET disputed_at = CASE WHEN $2 THEN coalesce(disputed_at, now()) END WHERE id = $1
  RETURNING id, disputed_at
)
UPDATE shop.purchase SET disputed_at = payment.disputed_at FROM payment WHERE transaction_id = payment.id`;

/** Idempotent, and independent of the order of webhooks. */
export async function recordDisputes(store: Store, paymentId: string): Promise<void> {
  const disputes = (await Array.fromAsync(store.payments.disputesOf(paymentId))).reverse();
  if (disputes.length === 0) return;
  await inTransaction(store, async ({ pool }) => {
    await pool.query(LOCK, [paymentId]);
    for (const dispute of disputes) {
      for (const what of disputeEvents(dispute))
        await pool.query(INSERT_DISPUTE_EVENTS, [paymentId, what, detailsOf(dispute)]);
    }
    await pool.query(MARK, [paymentId, disputes.some(({ outcome }) => outcome === "open")]);
  });
}

/** The events that the audit log must have for a dispute in its current state. */
export function disputeEvents({ outcome }: Dispute): string[] {
  return outcome === "open" ? ["disputed"] : ["disputed", outcome === "won" ? "dispute won" : "dispute lost"];
}

function detailsOf({ id, amountCents, reason }: Dispute): string {
  return JSON.stringify({ dispute: id, amount_cents: amountCents, reason: reason.replaceAll("_", " ") });
}
