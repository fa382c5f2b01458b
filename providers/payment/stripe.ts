/** The store's one way to the payment processor: the official library, against Stripe or the embedded sandbox. */
import Stripe from "stripe";
import { httpAt } from "./http-at.ts";
import { eventOf, intentOf, refundOf } from "./read-stripe.ts";

/** One attempt to be paid for one purchase. Money in integer cents. */
export interface Intent {
  id: string;
  clientSecret: string;
  status:
    | "requires_payment_method"
    | "requires_confirmation"
    | "requires_action"
    | "processing"
    | "requires_capture"
    | "canceled"
    | "succeeded";
  amountCents: number;
  amountReceivedCents: number;
  currency: string;
  purchaseId: string | null;
  metadata: Record<string, string>;
}

/** What the processor tells on its own. `intentId` is the payment that it is about, `intent` its state then. */
export interface WebhookEvent {
  id: string;
  type: string;
  createdAt: Date;
  intentId: string | null;
  intent: Intent | null;
}

export interface Refund {
  id: string;
  status: string;
  amountCents: number;
  /** the store's own name for it; null when it was made elsewhere */
  reference: string | null;
}

export interface PaymentProvider {
  /** Opens a payment of 50 to 99,999,999 cents. The purchase and the e-mail are in its metadata. */
  createIntent(i: {
    amountCents: number;
    currency: "usd";
    purchaseId: string;
    email: string;
    idempotencyKey: string;
    metadata?: Record<string, string>;
  }): Promise<Intent>;
  /** Null when the processor does not know it. */
  findIntent(id: string): Promise<Intent | null>;
  /** The intent afterwards: canceled, or what it had become before, for example succeeded. */
  cancelIntent(id: string): Promise<Intent>;
  /**
   * Without an amount, all that is left, or the last refund when nothing is. Throws `RefundRefused` when the
   * amount is more than is left, or nothing was paid.
   */
  refund(i: {
    intentId: string;
    amountCents?: number;
    reason: string;
    reference?: string;
    idempotencyKey: string;
  }): Promise<Refund>;
  /** All intents made since then, newest first: for reconciliation. */
  intentsSince(since: Date): AsyncIterable<Intent>;
  /** All refunds of an intent, newest first. */
  refundsOf(intentId: string): AsyncIterable<Refund>;
  /** Null when the signature is forged, the body was changed or the event is older than 300 seconds. */
  readWebhook(rawBody: Buffer, signatureHeader: string): WebhookEvent | null;
}

/** The processor could not be reached, or answered 5xx, 429 or "in use" after retries. Nothing is known. */
export class PaymentUnavailable extends Error {
  override name = "PaymentUnavailable";
}

/** The processor will not give this back. The message says why. */
export class RefundRefused extends Error {
  override name = "RefundRefused";
}

/** `apiBase` leaves out `/v1`; a function is asked at every call, for an address known only once it listens. */
export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string | (() => string);
}

const REPLAY_WINDOW_SECONDS = 300;

/** The adapter. API version pinned, 10 s time-out, two retries with the same idempotency key. */
export function connectStripe(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    apiVersion: "2026-10-28.endive",
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    ...(options.apiBase !== undefined && { httpClient: httpAt(options.apiBase) }),
  });
  return {
    createIntent: (i) => createIntent(stripe, i),
    findIntent: (id) => findIntent(stripe, id),
    cancelIntent: (id) => cancelIntent(stripe, id),
    refund: (i) => refund(stripe, i),
    intentsSince: (since) => intentsSince(stripe, since),
    refundsOf: (intentId) => refundsOf(stripe, intentId),
    readWebhook: (body, signature) => readWebhook(stripe, options.webhookSecret, body, signature),
  };
}

type NewIntent = Parameters<PaymentProvider["createIntent"]>[0];

async function createIntent(stripe: Stripe, i: NewIntent): Promise<Intent> {
  const params = {
    amount: i.amountCents,
    currency: i.currency,
    description: `Purchase ${i.purchaseId}`,
    allowed_payment_method_types: ["card"],
    metadata: { ...i.metadata, purchaseId: i.purchaseId, email: i.email },
  };
  return asked(async () =>
    intentOf(await stripe.paymentIntents.create(params, { idempotencyKey: i.idempotencyKey })),
  );
}

async function findIntent(stripe: Stripe, id: string): Promise<Intent | null> {
  // anything else is not an intent's id and must not become another path
  if (!/^pi_[\w-]+$/.test(id)) return null;
  return asked(async () => {
    try {
      return intentOf(await stripe.paymentIntents.retrieve(id));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

async function cancelIntent(stripe: Stripe, id: string): Promise<Intent> {
  return asked(async () => {
    try {
      return intentOf(await stripe.paymentIntents.cancel(id));
    } catch (error) {
      if (!hasCode(error, "payment_intent_unexpected_state")) throw error;
      return intentOf(await stripe.paymentIntents.retrieve(id));
    }
  });
}

type NewRefund = Parameters<PaymentProvider["refund"]>[0];

async function refund(stripe: Stripe, i: NewRefund): Promise<Refund> {
  const params = {
    payment_intent: i.intentId,
    metadata: {
      reason: i.reason.slice(0, 500),
      ...(i.reference !== undefined && { reference: i.reference }),
    },
    ...(i.amountCents !== undefined && { amount: i.amountCents }),
  };
  return asked(async () => {
    try {
      return refundOf(await stripe.refunds.create(params, { idempotencyKey: i.idempotencyKey }));
    } catch (error) {
      if (i.amountCents === undefined && hasCode(error, "charge_already_refunded")) {
        for await (const earlier of refundsOf(stripe, i.intentId)) return earlier;
      }
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 404)
        throw error;
      throw new RefundRefused(error.message, { cause: error });
    }
  });
}

async function* intentsSince(stripe: Stripe, since: Date): AsyncGenerator<Intent> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  yield* walked(stripe.paymentIntents.list({ created, limit: 100 }), intentOf);
}

async function* refundsOf(stripe: Stripe, intentId: string): AsyncGenerator<Refund> {
  yield* walked(stripe.refunds.list({ payment_intent: intentId, limit: 100 }), refundOf);
}

async function* walked<From, To>(list: AsyncIterable<From>, convert: (one: From) => To): AsyncGenerator<To> {
  try {
    for await (const one of list) yield convert(one);
  } catch (error) {
    throw unavailable(error);
  }
}

function readWebhook(
  stripe: Stripe,
  secret: string,
  rawBody: Buffer,
  signature: string,
): WebhookEvent | null {
  try {
    return eventOf(stripe.webhooks.constructEvent(rawBody, signature, secret, REPLAY_WINDOW_SECONDS));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unavailable(error);
  }
}

/** The error itself, or `PaymentUnavailable` when asking again later may help. */
function unavailable(error: unknown): unknown {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  const later = [StripeConnectionError, StripeAPIError, StripeRateLimitError].some(
    (kind) => error instanceof kind,
  );
  if (!later) return error;
  return new PaymentUnavailable("The payment provider cannot be reached at the moment.", { cause: error });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === code;
}
