import { type Intent, PaymentUnavailable } from "../../providers/payment/stripe.ts";
import type { Store } from "../store.ts";
import { markCancelled } from "./cancel.ts";
import { refundDue } from "./refund.ts";
import { settleIntent } from "./settle.ts";

interface Unfinished {
  id: string;
  status: "open" | "refund_due";
  loose: boolean;
  seen_at: Date | null;
}

/**
 * Finds payments whose page was closed and whose webhook was lost: asks the provider about those that were
 * not looked at for ten seconds, the longest-waiting first. Claiming and marking is one statement, so several
 * processes share the work. Returns how many were looked at; stops quietly at an absent provider, for the
 * next round.
 */
export async function sweepPayments(store: Store, atMost = 50): Promise<number> {
  const { rows } = await store.pool.query<Unfinished>(
    `UPDATE shop.payment SET checked_at = now() WHERE id IN (
       SELECT id FROM shop.payment
       WHERE status IN ('open', 'refund_due') AND checked_at < now() - interval '10 seconds'
       ORDER BY checked_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) RETURNING id, status, loose, seen_at`,
    [atMost],
  );
  try {
    for (const payment of rows) await finish(store, payment);
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
  }
  return rows.length;
}

async function finish(store: Store, payment: Unfinished): Promise<void> {
  if (payment.status === "refund_due") {
    await refundDue(store, payment.id);
    return;
  }
  const intent = await store.payments.findIntent(payment.id);
  if (intent?.status === "succeeded") await settleUnlessFresh(store, payment, intent);
  else if (!intent || intent.status === "canceled") await markCancelled(store, payment.id);
}

/** A loose payment waits one round for its page to say which purchase it pays. */
async function settleUnlessFresh(store: Store, payment: Unfinished, intent: Intent): Promise<void> {
  if (payment.loose && !payment.seen_at) {
    await store.pool.query("UPDATE shop.payment SET seen_at = now() WHERE id = $1", [payment.id]);
    return;
  }
  await settleIntent(store, intent);
}
