/** Stripe's objects are not trusted: an unexpected shape throws, and `connectStripe` converts the error. */
import { z } from "zod";
import {
  type Dispute,
  type Intent,
  intentStatuses,
  type Refund,
  type WebhookEvent,
} from "../../shop/payments/provider.ts";

/** PostgreSQL cannot store NUL in text. */
const text = z.string().refine((value) => !value.includes("\0"), "contains a NUL");
const identifier = z.string().regex(/^[\w.~-]{1,255}$/);
const cents = z.int().min(0);
const metadata = z.record(z.string(), text).nullish();
const reference = z
  .union([identifier, z.object({ id: identifier }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);

const paymentIntent = z.object({
  object: z.literal("payment_intent"),
  id: identifier,
  client_secret: z.string().nullish(),
  // an unknown state is neither paid nor cancelled
  status: z.string().transform((status) => intentStatuses.find((known) => known === status) ?? "unknown"),
  amount: cents,
  amount_received: cents,
  currency: text,
  metadata,
});

const refund = z.object({
  object: z.literal("refund"),
  id: identifier,
  status: z.string().nullish(),
  failure_reason: text.nullish(),
  amount: cents,
  metadata,
});

const dispute = z.object({
  object: z.literal("dispute"),
  id: identifier,
  status: z.string(),
  payment_intent: reference,
  amount: cents,
  reason: text,
});

const page = z.object({ data: z.array(z.unknown()), has_more: z.boolean() });

export function intentOf(from: unknown): Intent {
  const { id, client_secret, status, amount, amount_received, currency, metadata } =
    paymentIntent.parse(from);
  return {
    id,
    clientSecret: client_secret ?? "",
    status,
    amountCents: amount,
    amountReceivedCents: amount_received,
    currency,
    purchaseId: metadata?.purchaseId ?? null,
  };
}

export function refundOf(from: unknown): Refund {
  const { id, status, failure_reason, amount, metadata } = refund.parse(from);
  const ended: Record<string, Refund["status"]> = {
    succeeded: "succeeded",
    failed: "failed",
    canceled: "failed",
  };
  return {
    id,
    status: ended[status ?? ""] ?? "pending",
    failure: failure_reason ?? null,
    amountCents: amount,
    reference: metadata?.reference ?? null,
  };
}

export function disputeOf(from: unknown): Dispute {
  const { id, status, payment_intent, amount, reason } = dispute.parse(from);
  const ended: Record<string, Dispute["outcome"]> = {
    won: "won",
    prevented: "won",
    warning_closed: "won",
    lost: "lost",
  };
  return { id, intentId: payment_intent, amountCents: amount, reason, outcome: ended[status] ?? "open" };
}

const account = z.object({ object: z.literal("account"), id: identifier });

export function accountIdOf(from: unknown): string {
  return account.parse(from).id;
}

export function pageOf(from: unknown): { data: unknown[]; hasMore: boolean } {
  const { data, has_more } = page.parse(from);
  return { data, hasMore: has_more };
}

const event = z.object({ id: identifier.optional(), type: text });
const intentEvent = z.object({ data: z.object({ object: z.object({ id: identifier }) }) });
const paymentReferenceEvent = z.object({
  data: z.object({ object: z.object({ payment_intent: reference }) }),
});

/** Events of types that the store does not use have no payment. */
export function eventOf(from: unknown): WebhookEvent {
  const { type } = event.parse(from);
  return { type, intentId: intentIdOf(type, from) };
}

function intentIdOf(type: string, from: unknown): string | null {
  if (type.startsWith("payment_intent.")) return intentEvent.parse(from).data.object.id;
  if (/^(charge|refund)\./.test(type)) return paymentReferenceEvent.parse(from).data.object.payment_intent;
  return null;
}
