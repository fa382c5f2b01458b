import { syncRefunds } from "../refunds/sync.ts";
import type { Store } from "../store.ts";
import { markCancelled } from "./cancel-intent.ts";
import { markPaid } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import type { WebhookEvent } from "./provider.ts";
import { recordDisputes } from "./record-disputes.ts";

/**
 * What the provider's signed event means for the store. The event only says where to look: the provider is
 * asked for the intent itself, so a late, doubled or reordered event changes nothing.
 * Throws when the provider cannot be asked now; it sends the event again.
 */
export async function handlePaymentEvent(store: Store, event: WebhookEvent): Promise<void> {
  if (!event.intentId) return;
  const { rows } = await store.pool.query<{ loose: boolean }>(
    "SELECT loose FROM shop.payment WHERE id = $1",
    [event.intentId],
  );
  if (!rows[0]) return; // not ours
  if (/^(charge\.refund|refund\.)/.test(event.type)) await syncRefunds(store, event.intentId);
  // a loose one is for its page (else the sweep) to assign
  if (!rows[0].loose && event.type.startsWith("payment_intent.")) await follow(store, event.intentId);
  if (event.type.startsWith("charge.dispute.")) await handleDispute(store, event.intentId);
}

/** Brings a payment of ours, which may not be settled yet, and its disputes up to what the provider knows of them. */
export async function handleDispute(store: Store, intentId: string): Promise<void> {
  const { rows } = await store.pool.query("SELECT FROM shop.payment WHERE id = $1 AND NOT loose", [intentId]);
  if (rows.length > 0) await follow(store, intentId);
  await recordDisputes(store, intentId);
}

async function follow(store: Store, intentId: string): Promise<void> {
  const intent = await store.payments.findIntent(intentId);
  if (intent) await recordProcessing(store, intent);
  if (intent?.status === "succeeded") await markPaid(store, intent);
  else if (intent?.status === "canceled") await markCancelled(store, intent.id);
}
