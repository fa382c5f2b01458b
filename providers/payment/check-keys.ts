import Stripe from "stripe";
import { z } from "zod";
import { createHttpClient } from "./http-client.ts";
import { disputeOf, intentOf, pageOf, refundOf } from "./read-stripe.ts";
import { API_VERSION, type StripeOptions } from "./stripe.ts";
import { toPaymentError } from "./stripe-errors.ts";
import { timeouts, withDeadline } from "./timeouts.ts";

export interface Keys extends Pick<StripeOptions, "secretKey" | "apiBase"> {
  publishableKey: string;
  webhookUrl: string;
}

const EVENTS = [
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.processing",
  "payment_intent.canceled",
  "charge.refunded",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.closed",
];

/** One line for the operator per problem. Only reads. A restricted key may not read webhook endpoints. */
export async function checkKeys(keys: Keys): Promise<string[]> {
  const [secret, publishable, webhook] = await Promise.all([
    secretKeyProblem(openClient(keys.secretKey, keys)),
    publishableKeyProblem(openClient(keys.publishableKey, keys)),
    webhookProblem(openClient(keys.secretKey, keys), keys.webhookUrl),
  ]);
  // without a valid secret key the webhook was not checked
  return [secret, publishable, secret ? null : webhook].filter((line) => line !== null);
}

function openClient(key: string, { apiBase }: Keys): Stripe {
  return new Stripe(key, {
    apiVersion: API_VERSION,
    maxNetworkRetries: timeouts.startup.retries,
    timeout: timeouts.startup.tryMs,
    telemetry: false,
    httpClient: createHttpClient(apiBase),
  });
}

async function secretKeyProblem(stripe: Stripe): Promise<string | null> {
  try {
    await withDeadline(timeouts.startup, async () => {
      pageOf(await stripe.paymentIntents.list({ limit: 1 })).data.map(intentOf);
      pageOf(await stripe.refunds.list({ limit: 1 })).data.map(refundOf);
      pageOf(await stripe.disputes.list({ limit: 1 })).data.map(disputeOf);
    });
    return null;
  } catch (error) {
    return toPaymentError(error).message;
  }
}

/** A publishable key may fetch a payment by its secret; for one that does not exist, a valid key gets "not found". */
async function publishableKeyProblem(stripe: Stripe): Promise<string | null> {
  try {
    await withDeadline(timeouts.startup, () =>
      stripe.paymentIntents.retrieve("pi_none", { client_secret: "pi_none_secret_none" }),
    );
    return null;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeAuthenticationError)) return null;
    return `Stripe rejects STRIPE_PUBLISHABLE_KEY: ${error.message}`;
  }
}

const webhookEndpoint = z.object({
  url: z.string(),
  status: z.string(),
  enabled_events: z.array(z.string()),
});

async function webhookProblem(stripe: Stripe, url: string): Promise<string | null> {
  let endpoints: z.infer<typeof webhookEndpoint>[];
  try {
    // Stripe allows 16 endpoints, so one page has them all
    const page = await withDeadline(timeouts.startup, () => stripe.webhookEndpoints.list({ limit: 100 }));
    endpoints = pageOf(page).data.map((item) => webhookEndpoint.parse(item));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return null; // not permitted for this key
    return toPaymentError(error).message;
  }
  const ours = endpoints.filter((endpoint) => endpoint.url === url && endpoint.status === "enabled");
  if (ours.length === 0) {
    return `Stripe has no webhook endpoint for ${url}; payments are still found, but late.`;
  }
  const subscribed = new Set(ours.flatMap((endpoint) => endpoint.enabled_events));
  const missing = subscribed.has("*") ? [] : EVENTS.filter((event) => !subscribed.has(event));
  return missing.length === 0 ? null : `Stripe's webhook endpoint does not receive ${missing.join(", ")}.`;
}
