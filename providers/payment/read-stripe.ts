/** From the processor's objects to the store's. */
import type Stripe from "stripe";
import type { Dispute, Intent, Refund, WebhookEvent } from "./provider.ts";

export function intentOf(from: Stripe.PaymentIntent): Intent {
  if (from.client_secret === null) throw new Error(`intent ${from.id} came without a client secret`);
  return {
    id: from.id,
    clientSecret: from.client_secret,
    status: from.status as Intent["status"],
    amountCents: from.amount,
    amountReceivedCents: from.amount_received,
    currency: from.currency,
    purchaseId: from.metadata.purchaseId ?? null,
    metadata: from.metadata,
  };
}

export function refundOf(from: Stripe.Refund): Refund {
  const ended: Record<string, Refund["status"]> = {
    succeeded: "succeeded",
    failed: "failed",
    canceled: "failed",
  };
  return {
    id: from.id,
    status: ended[from.status ?? ""] ?? "pending",
    failure: from.failure_reason ?? null,
    amountCents: from.amount,
    reference: from.metadata?.reference ?? null,
  };
}

export function disputeOf(from: Stripe.Dispute): Dispute {
  const ended: Record<string, Dispute["outcome"]> = {
    won: "won",
    prevented: "won",
    warning_closed: "won",
    lost: "lost",
  };
  return {
    id: from.id,
    intentId: idOf(from.payment_intent),
    amountCents: from.amount,
    reason: from.reason,
    outcome: ended[from.status] ?? "open",
  };
}

/** Events about charges, refunds and disputes name the payment that they belong to. */
export function eventOf(from: Stripe.Event): WebhookEvent {
  const about = from.data.object;
  const common = { id: from.id, type: from.type, createdAt: new Date(from.created * 1000) };
  if (about.object === "payment_intent") return { ...common, intentId: about.id, intent: intentOf(about) };
  const names = about.object === "charge" || about.object === "refund" || about.object === "dispute";
  const payment = names ? about.payment_intent : null;
  return { ...common, intentId: idOf(payment), intent: null };
}

function idOf(about: string | { id: string } | null): string | null {
  return typeof about === "string" ? about : (about?.id ?? null);
}
