import type { WebhookEvent } from "../../providers/payment/stripe.ts";
import type { Store } from "../store.ts";
import { adoptRefunds } from "./adopt-refunds.ts";
import { markCancelled } from "./cancel.ts";
import { settleIntent } from "./settle.ts";

/**
 * What the provider's signed event means for the store. The event only says where to look: the provider is
 * asked for the intent itself, so a late, doubled or reordered event changes nothing.
 * Throws when the provider cannot be asked now; it sends the event again.
 */
export async function takePaymentEvent(store: Store, event: WebhookEvent): Promise<void> {
  if (!event.intentId) return;
  const { rows } = await store.pool.query<{ loose: boolean }>(
    "SELECT loose FROM shop.payment WHERE id = $1",
    [event.intentId],
  );
  if (!rows[0]) return; // not ours
  if (/^(charge\.refund|refund\.)/.test(event.type)) await adoptRefunds(store, event.intentId);
  if (event.type === "charge.dispute.created") await rememberDispute(store, event.intentId);
  // a loose one is for its page (else the sweep) to assign
  if (rows[0].loose || !event.type.startsWith("payment_intent.")) return;
  const intent = await store.payments.findIntent(event.intentId);
  if (intent?.status === "succeeded") await settleIntent(store, intent);
  else if (intent?.status === "canceled") await markCancelled(store, intent.id);
}

// The bank takes the money back by itself; an admin has to know it, once.
async function rememberDispute(store: Store, paymentId: string): Promise<void> {
  await store.pool.query(
    `SELECT shop.remember('disputed', 'payment', id, purchase_id, NULL, NULL) FROM shop.payment
     WHERE id = $1 AND NOT EXISTS (
       SELECT FROM shop.event WHERE subject = 'payment' AND subject_id = $1 AND what = 'disputed')`,
    [paymentId],
  );
}
