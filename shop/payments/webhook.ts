import type { WebhookEvent } from "../../providers/payment/stripe.ts";
import type { Store } from "../store.ts";
import { markCancelled } from "./cancel.ts";
import { settleIntent } from "./settle.ts";

/**
 * What the provider's signed event means for the store. The event only says where to look: the provider is
 * asked for the intent itself, so a late, doubled or reordered event changes nothing.
 * Throws when the provider cannot be asked now; it sends the event again.
 */
export async function takePaymentEvent(store: Store, event: WebhookEvent): Promise<void> {
  if (!event.intentId || !event.type.startsWith("payment_intent.")) return;
  const { rows } = await store.pool.query<{ loose: boolean }>(
    "SELECT loose FROM shop.payment WHERE id = $1",
    [event.intentId],
  );
  // not ours, or for its page (else the sweep) to assign
  if (!rows[0] || rows[0].loose) return;
  const intent = await store.payments.findIntent(event.intentId);
  if (intent?.status === "succeeded") await settleIntent(store, intent);
  else if (intent?.status === "canceled") await markCancelled(store, intent.id);
}
