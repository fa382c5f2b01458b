/** The store's one way to the payment processor: the official library, against Stripe or the embedded sandbox. */
import Stripe from "stripe";
import { httpAt } from "./http-at.ts";
import { type Limit, type Patience, patiences, within } from "./patience.ts";
import type { Dispute, Intent, PaymentProvider, Refund, WebhookEvent } from "./provider.ts";
import { disputeOf, eventOf, intentOf, refundOf } from "./read-stripe.ts";
import { PaymentUnavailable, type RefundObstacle, RefundRefused, troubleOf } from "./trouble.ts";

/** `apiBase` leaves out `/v1`; a function is asked at every call, for an address known only once it listens. */
export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string | (() => string);
  /** hears of each call that could not be made; its caller is refused all the same */
  report?: Report;
  /** whether a person waits for the answers; otherwise a job does, which has time */
  patience?: Patience;
  /** gives up what is under way, when the store stops */
  stopping?: AbortSignal | undefined;
}

type Report = (trouble: PaymentUnavailable) => void;

interface Link extends Limit {
  stripe: Stripe;
  report: Report;
}

/** What the adapter is written for, and the sandbox with it. */
export const API_VERSION = "2026-10-28.endive";

const REPLAY_WINDOW_SECONDS = 300;

/** The adapter. API version pinned, retries with the same idempotency key. */
export function connectStripe(options: StripeOptions): PaymentProvider {
  const { tryMs, retries, longestMs } = patiences[options.patience ?? "job"];
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: retries,
    timeout: tryMs,
    telemetry: false,
    ...(options.apiBase !== undefined && { httpClient: httpAt(options.apiBase) }),
  });
  const { report = () => undefined, stopping } = options;
  const link = { stripe, report, longestMs, stopping };
  return {
    createIntent: (i) => createIntent(link, i),
    findIntent: (id) => findIntent(link, id),
    cancelIntent: (id) => cancelIntent(link, id),
    refund: (i) => refund(link, i),
    intentsSince: (since) => intentsSince(link, since),
    refundsOf: (intentId) => refundsOf(link, intentId),
    disputesOf: (intentId) => disputesOf(link, intentId),
    disputesSince: (since) => disputesSince(link, since),
    readWebhook: (body, signature) => readWebhook(stripe, options.webhookSecret, body, signature),
  };
}

type NewIntent = Parameters<PaymentProvider["createIntent"]>[0];

async function createIntent(link: Link, i: NewIntent): Promise<Intent> {
  const params = {
    amount: i.amountCents,
    currency: i.currency,
    description: `Purchase ${i.purchaseId}`,
    allowed_payment_method_types: ["card"],
    metadata: { ...i.metadata, purchaseId: i.purchaseId, email: i.email },
  };
  return asked(link, async () =>
    intentOf(await link.stripe.paymentIntents.create(params, { idempotencyKey: i.idempotencyKey })),
  );
}

async function findIntent(link: Link, id: string): Promise<Intent | null> {
  // anything else is not an intent's id and must not become another path
  if (!/^pi_[\w-]+$/.test(id)) return null;
  return asked(link, async () => {
    try {
      return intentOf(await link.stripe.paymentIntents.retrieve(id));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

async function cancelIntent(link: Link, id: string): Promise<Intent> {
  return asked(link, async () => {
    try {
      return intentOf(await link.stripe.paymentIntents.cancel(id));
    } catch (error) {
      if (!hasCode(error, "payment_intent_unexpected_state")) throw error;
      return intentOf(await link.stripe.paymentIntents.retrieve(id));
    }
  });
}

type NewRefund = Parameters<PaymentProvider["refund"]>[0];

async function refund(link: Link, i: NewRefund): Promise<Refund> {
  const params = {
    payment_intent: i.intentId,
    metadata: {
      reason: i.reason.slice(0, 500),
      ...(i.reference !== undefined && { reference: i.reference }),
    },
    ...(i.amountCents !== undefined && { amount: i.amountCents }),
  };
  return asked(link, async () => {
    try {
      return refundOf(await link.stripe.refunds.create(params, { idempotencyKey: i.idempotencyKey }));
    } catch (error) {
      if (i.amountCents === undefined && hasCode(error, "charge_already_refunded")) {
        for await (const earlier of refundsOf(link, i.intentId)) return earlier;
      }
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.statusCode === 404)
        throw error;
      throw new RefundRefused(error.message, obstacleOf(error), { cause: error });
    }
  });
}

const obstacles: Record<string, RefundObstacle> = {
  charge_disputed: "disputed",
  refund_disputed_payment: "disputed",
  charge_already_refunded: "nothingLeft",
  balance_insufficient: "noBalance",
  insufficient_funds: "noBalance",
};

/** Too high an amount comes without a code, and names its member. */
function obstacleOf({ code, param }: Stripe.errors.StripeInvalidRequestError): RefundObstacle {
  return obstacles[code ?? ""] ?? (param === "amount" ? "tooMuch" : "other");
}

async function* intentsSince(link: Link, since: Date): AsyncGenerator<Intent> {
  yield* walked(link, link.stripe.paymentIntents.list({ created: from(since), limit: 100 }), intentOf);
}

async function* refundsOf(link: Link, intentId: string): AsyncGenerator<Refund> {
  yield* walked(link, link.stripe.refunds.list({ payment_intent: intentId, limit: 100 }), refundOf);
}

async function* disputesOf(link: Link, intentId: string): AsyncGenerator<Dispute> {
  yield* walked(link, link.stripe.disputes.list({ payment_intent: intentId, limit: 100 }), disputeOf);
}

async function* disputesSince(link: Link, since: Date): AsyncGenerator<Dispute> {
  yield* walked(link, link.stripe.disputes.list({ created: from(since), limit: 100 }), disputeOf);
}

/** The processor counts whole seconds. */
function from(since: Date): { gte: number } {
  return { gte: Math.floor(since.getTime() / 1000) };
}

async function* walked<From, To>(
  link: Link,
  list: AsyncIterable<From>,
  convert: (one: From) => To,
): AsyncGenerator<To> {
  const rest = list[Symbol.asyncIterator]();
  for (;;) {
    const one = await asked(link, () => rest.next());
    if (one.done) return;
    yield convert(one.value);
  }
}

/** A signature that is none: the library would call it a failure, not a forgery. */
const ODD_SIGNATURE = /(?:^|,)v1\b(?!=[\da-f]+(?:,|$))/;

function readWebhook(
  stripe: Stripe,
  secret: string,
  rawBody: Buffer,
  signature: string,
): WebhookEvent | null {
  if (ODD_SIGNATURE.test(signature)) return null;
  try {
    return eventOf(stripe.webhooks.constructEvent(rawBody, signature, secret, REPLAY_WINDOW_SECONDS));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

async function asked<T>(link: Link, call: () => Promise<T>): Promise<T> {
  try {
    return await within(link, call);
  } catch (error) {
    throw reported(link, error);
  }
}

function reported({ report }: Link, error: unknown): unknown {
  const trouble = troubleOf(error);
  if (trouble instanceof PaymentUnavailable) report(trouble);
  return trouble;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === code;
}
