import { syncRefunds } from "../refunds/sync.ts";
import type { Store } from "../store.ts";
import { markCancelled } from "./mark-cancelled.ts";
import { findPayment, markPaid, type PaymentRow } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import type { WebhookEvent } from "./provider.ts";
import { recordDisputes } from "./record-disputes.ts";

/** Fetches the intent, so a late, repeated or reordered event changes nothing. Throws if the provider is down. */
export async function handlePaymentEvent(store: Store, { type, intentId }: WebhookEvent): Promise<void> {
  if (!intentId) return;
  const payment = await findPayment(store, intentId);
  if (!payment) return; // of another store
  const isRefund = /^(charge\.refund|refund\.)/.test(type);
  // a refund may be reported before its payment; a succeeded intent does not change
  if ((isRefund || type.startsWith("payment_intent.")) && payment.status !== "succeeded")
    await syncPayment(store, intentId, payment);
  if (isRefund) await syncRefunds(store, intentId);
  if (type.startsWith("charge.dispute.")) await syncPaymentWithDisputes(store, intentId);
}

/** The payment first: it may not be marked paid yet. */
export async function syncPaymentWithDisputes(store: Store, intentId: string): Promise<void> {
  await syncPayment(store, intentId);
  await recordDisputes(store, intentId);
}

async function syncPayment(store: Store, intentId: string, known?: PaymentRow): Promise<void> {
  const intent = await store.payments.findIntent(intentId);
  if (intent) await recordProcessing(store, intent);
  if (intent?.status === "succeeded") await markPaid(store, intent, { known });
  else if (intent?.status === "canceled") await markCancelled(store, intent.id);
}
