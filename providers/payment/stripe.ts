import Stripe from "stripe";
import type {
  Account,
  Dispute,
  Intent,
  PaymentProvider,
  Refund,
  WebhookEvent,
} from "../../shop/payments/provider.ts";
import {
  MalformedEvent,
  PaymentUnavailable,
  PaymentUnexpected,
  RefundRejected,
  type RefundRejection,
} from "../../shop/payments/provider-errors.ts";
import { createHttpClient, type TraceRequest } from "./http-client.ts";
import { accountIdOf, disputeOf, eventOf, intentOf, pageOf, refundOf } from "./read-stripe.ts";
import { isDocumented, toPaymentError } from "./stripe-errors.ts";
import { type Limit, type TimeoutKind, timeouts, withDeadline } from "./timeouts.ts";

/** `apiBase` is without `/v1`; a function is called at every request, for an address known only after listening. */
export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string | (() => string);
  mode?: Account["mode"];
  report?: Report;
  timeouts?: TimeoutKind;
  stopping?: AbortSignal | undefined;
  trace?: TraceRequest | undefined;
}

type Report = (failure: PaymentUnavailable) => void;

interface Link extends Limit {
  stripe: Stripe;
  report: Report;
}

export const API_VERSION = "2026-10-28.endive";

const REPLAY_WINDOW_SECONDS = 300;

/** The API version is pinned; retries use the same idempotency key. */
export function connectStripe(options: StripeOptions): PaymentProvider {
  const { tryMs, retries, longestMs } = timeouts[options.timeouts ?? "background"];
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: retries,
    timeout: tryMs,
    telemetry: false,
    httpClient: createHttpClient(options.apiBase, options.trace),
  });
  const { report = () => undefined, stopping } = options;
  const link = { stripe, report, longestMs, stopping };
  return {
    account: accountOf(stripe, options.mode ?? (options.secretKey.includes("_live_") ? "live" : "test")),
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

const ACCOUNT_LIMIT = { longestMs: 5000 };
const ACCOUNT_RETRY_MS = 600_000;

/** Read once; a key without that permission has no account. A failure is retried only after a while. */
function accountOf(stripe: Stripe, mode: Account["mode"]): () => Promise<Account> {
  let known: Promise<Account> | undefined;
  let readAt = 0;
  const ask = async () => {
    const call = () => stripe.accounts.retrieveCurrent({}, { maxNetworkRetries: 0 });
    const id = await withDeadline(ACCOUNT_LIMIT, async () => accountIdOf(await call())).catch(() => null);
    return { mode, id };
  };
  return async () => {
    if (mode === "sandbox") return { mode, id: null };
    const last = await known;
    if (last?.id || (last && Date.now() - readAt < ACCOUNT_RETRY_MS)) return last;
    readAt = Date.now();
    known = ask();
    return known;
  };
}

type NewIntent = Parameters<PaymentProvider["createIntent"]>[0];

async function createIntent(link: Link, i: NewIntent): Promise<Intent> {
  const params = {
    amount: i.amountCents,
    currency: i.currency,
    description: `Purchase ${i.purchaseId}`,
    allowed_payment_method_types: ["card"],
    metadata: { purchaseId: i.purchaseId, email: i.email },
  };
  return request(link, async () => {
    const intent = intentOf(
      await link.stripe.paymentIntents.create(params, { idempotencyKey: i.idempotencyKey }),
    );
    const matches =
      intent.amountCents === i.amountCents &&
      intent.currency === i.currency &&
      intent.purchaseId === i.purchaseId;
    if (!matches)
      throw new PaymentUnexpected(`Stripe opened ${intent.id} for something else than was requested.`);
    return intent;
  });
}

async function findIntent(link: Link, id: string): Promise<Intent | null> {
  // anything else is not the id of an intent and must not become another path
  if (!/^pi_[\w.~-]+$/.test(id)) return null;
  return request(link, async () => {
    try {
      return same(id, intentOf(await link.stripe.paymentIntents.retrieve(id)));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

async function cancelIntent(link: Link, id: string): Promise<Intent | null> {
  return request(link, async () => {
    try {
      return same(id, intentOf(await link.stripe.paymentIntents.cancel(id)));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      if (!hasCode(error, "payment_intent_unexpected_state")) throw error;
      return same(id, intentOf(await link.stripe.paymentIntents.retrieve(id)));
    }
  });
}

function same(id: string, intent: Intent): Intent {
  if (intent.id === id) return intent;
  throw new PaymentUnexpected(`Stripe returned ${intent.id} instead of ${id}.`);
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
  return request(link, async () => {
    try {
      return refundOf(await link.stripe.refunds.create(params, { idempotencyKey: i.idempotencyKey }));
    } catch (error) {
      if (i.amountCents === undefined && hasCode(error, "charge_already_refunded")) {
        for await (const earlier of refundsOf(link, i.intentId)) return earlier;
      }
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      if (error.statusCode === 404 || !isDocumented(error)) throw error;
      throw new RefundRejected(error.message, rejectionOf(error), { cause: error });
    }
  });
}

const rejections: Record<string, RefundRejection> = {
  charge_disputed: "disputed",
  refund_disputed_payment: "disputed",
  charge_already_refunded: "nothingLeft",
  balance_insufficient: "noBalance",
  insufficient_funds: "noBalance",
};

/** An amount that is too high has no code; the error names its parameter. */
function rejectionOf({ code, param }: Stripe.errors.StripeInvalidRequestError): RefundRejection {
  return rejections[code ?? ""] ?? (param === "amount" ? "tooMuch" : "other");
}

type Pages = Pick<Stripe.PaginationParams, "limit" | "starting_after">;

function intentsSince({ stripe, ...link }: Link, since: Date): AsyncGenerator<Intent> {
  const created = from(since);
  return allItems(link, (pages) => stripe.paymentIntents.list({ created, ...pages }), intentOf);
}

function refundsOf({ stripe, ...link }: Link, payment_intent: string): AsyncGenerator<Refund> {
  return allItems(link, (pages) => stripe.refunds.list({ payment_intent, ...pages }), refundOf);
}

function disputesOf({ stripe, ...link }: Link, payment_intent: string): AsyncGenerator<Dispute> {
  return allItems(link, (pages) => stripe.disputes.list({ payment_intent, ...pages }), disputeOf);
}

function disputesSince({ stripe, ...link }: Link, since: Date): AsyncGenerator<Dispute> {
  const created = from(since);
  return allItems(link, (pages) => stripe.disputes.list({ created, ...pages }), disputeOf);
}

function from(since: Date): { gte: number } {
  return { gte: Math.floor(since.getTime() / 1000) };
}

/** All items of a list. Throws on a cycle, which would never end. */
async function* allItems<To extends { id: string }>(
  link: Omit<Link, "stripe">,
  list: (pages: Pages) => PromiseLike<unknown>,
  convert: (one: unknown) => To,
): AsyncGenerator<To> {
  const seen = new Set<string>();
  let last: string | undefined;
  do {
    const { items, hasMore } = await request(link, async () => {
      const page = pageOf(await list({ limit: 100, ...(last && { starting_after: last }) }));
      return { items: page.data.map(convert), hasMore: page.hasMore };
    });
    yield* items;
    last = hasMore ? items.at(-1)?.id : undefined;
    if (last && seen.has(last)) throw reported(link, new PaymentUnexpected("Stripe repeats a list forever."));
    if (last) seen.add(last);
  } while (last);
}

/** A malformed signature: the library would report a failure instead of a forgery. */
const MALFORMED_SIGNATURE = /(?:^|,)v1\b(?!=[\da-f]+(?:,|$))/;

function readWebhook(
  stripe: Stripe,
  secret: string,
  rawBody: Buffer,
  signature: string,
): WebhookEvent | null {
  if (MALFORMED_SIGNATURE.test(signature)) return null;
  try {
    return eventOf(stripe.webhooks.constructEvent(rawBody, signature, secret, REPLAY_WINDOW_SECONDS));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    // constructEvent verifies before it parses, so the body is the cause
    throw new MalformedEvent("The body of a signed webhook is not an event.", { cause: error });
  }
}

async function request<T>(link: Omit<Link, "stripe">, call: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(link, call);
  } catch (error) {
    throw reported(link, error);
  }
}

function reported({ report }: Pick<Link, "report">, error: unknown): Error {
  const failure = toPaymentError(error);
  if (failure instanceof PaymentUnavailable) report(failure);
  return failure;
}

function hasCode(error: unknown, code: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && isDocumented(error) && error.code === code
  );
}
