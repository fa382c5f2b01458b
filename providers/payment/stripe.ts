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

/** `apiBase` is without `/v1`; a function is called at every request, for a URL known only after listening. */
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

interface Connection extends Limit {
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
  const connection = { stripe, report, longestMs, stopping };
  return {
    account: accountReader(stripe, options.mode ?? (options.secretKey.includes("_live_") ? "live" : "test")),
    createIntent: (input) => createIntent(connection, input),
    findIntent: (id) => findIntent(connection, id),
    cancelIntent: (id) => cancelIntent(connection, id),
    refund: (input) => refund(connection, input),
    intentsSince: (since) => intentsSince(connection, since),
    refundsOf: (intentId) => refundsOf(connection, intentId),
    disputesOf: (intentId) => disputesOf(connection, intentId),
    disputesSince: (since) => disputesSince(connection, since),
    readWebhook: (body, signature) => readWebhook(connection, options.webhookSecret, body, signature),
  };
}

const ACCOUNT_LIMIT = { longestMs: 5000 };
const ACCOUNT_RETRY_MS = 600_000;

/** Read once; the id is null for a key without that permission. A failure is retried after ten minutes. */
function accountReader(stripe: Stripe, mode: Account["mode"]): () => Promise<Account> {
  let cached: Promise<Account> | undefined;
  let readAt = 0;
  const fetchAccount = async () => {
    const call = () => stripe.accounts.retrieveCurrent({}, { maxNetworkRetries: 0 });
    const id = await withDeadline(ACCOUNT_LIMIT, async () => accountIdOf(await call())).catch(() => null);
    return { mode, id };
  };
  return async () => {
    if (mode === "sandbox") return { mode, id: null };
    const last = await cached;
    if (last?.id || (last && performance.now() - readAt < ACCOUNT_RETRY_MS)) return last;
    readAt = performance.now();
    cached = fetchAccount();
    return cached;
  };
}

type NewIntent = Parameters<PaymentProvider["createIntent"]>[0];

async function createIntent(connection: Connection, input: NewIntent): Promise<Intent> {
  const params = {
    amount: input.amountCents,
    currency: input.currency,
    description: `Purchase ${input.purchaseId}`,
    allowed_payment_method_types: ["card"],
    metadata: { purchaseId: input.purchaseId, email: input.email },
  };
  return request(connection, async () => {
    const intent = intentOf(
      await connection.stripe.paymentIntents.create(params, { idempotencyKey: input.idempotencyKey }),
    );
    const matches =
      intent.amountCents === input.amountCents &&
      intent.currency === input.currency &&
      intent.purchaseId === input.purchaseId;
    if (!matches)
      throw new PaymentUnexpected(`Stripe opened ${intent.id} for something else than was requested.`);
    return intent;
  });
}

async function findIntent(connection: Connection, id: string): Promise<Intent | null> {
  // anything else is not the id of an intent and must not become another path
  if (!/^pi_[\w.~-]+$/.test(id)) return null;
  return request(connection, async () => {
    try {
      return assertSameId(id, intentOf(await connection.stripe.paymentIntents.retrieve(id)));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      throw error;
    }
  });
}

async function cancelIntent(connection: Connection, id: string): Promise<Intent | null> {
  return request(connection, async () => {
    try {
      return assertSameId(id, intentOf(await connection.stripe.paymentIntents.cancel(id)));
    } catch (error) {
      if (hasCode(error, "resource_missing")) return null;
      if (!hasCode(error, "payment_intent_unexpected_state")) throw error;
      return assertSameId(id, intentOf(await connection.stripe.paymentIntents.retrieve(id)));
    }
  });
}

function assertSameId(id: string, intent: Intent): Intent {
  if (intent.id === id) return intent;
  throw new PaymentUnexpected(`Stripe returned ${intent.id} instead of ${id}.`);
}

type NewRefund = Parameters<PaymentProvider["refund"]>[0];

async function refund(connection: Connection, input: NewRefund): Promise<Refund> {
  const params = {
    payment_intent: input.intentId,
    metadata: {
      reason: input.reason.slice(0, 500),
      ...(input.reference !== undefined && { reference: input.reference }),
    },
    ...(input.amountCents !== undefined && { amount: input.amountCents }),
  };
  return request(connection, async () => {
    try {
      return refundOf(
        await connection.stripe.refunds.create(params, { idempotencyKey: input.idempotencyKey }),
      );
    } catch (error) {
      if (input.amountCents === undefined && hasCode(error, "charge_already_refunded")) {
        for await (const earlier of refundsOf(connection, input.intentId)) return earlier;
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

function intentsSince({ stripe, ...connection }: Connection, since: Date): AsyncGenerator<Intent> {
  const created = createdSince(since);
  return allItems(connection, (pages) => stripe.paymentIntents.list({ created, ...pages }), intentOf);
}

function refundsOf({ stripe, ...connection }: Connection, payment_intent: string): AsyncGenerator<Refund> {
  return allItems(connection, (pages) => stripe.refunds.list({ payment_intent, ...pages }), refundOf);
}

function disputesOf({ stripe, ...connection }: Connection, payment_intent: string): AsyncGenerator<Dispute> {
  return allItems(connection, (pages) => stripe.disputes.list({ payment_intent, ...pages }), disputeOf);
}

function disputesSince({ stripe, ...connection }: Connection, since: Date): AsyncGenerator<Dispute> {
  const created = createdSince(since);
  return allItems(connection, (pages) => stripe.disputes.list({ created, ...pages }), disputeOf);
}

function createdSince(since: Date): { gte: number } {
  return { gte: Math.floor(since.getTime() / 1000) };
}

/** All items of a list. Throws on a cycle, which would never end. */
async function* allItems<Item extends { id: string }>(
  connection: Omit<Connection, "stripe">,
  list: (pages: Pages) => PromiseLike<unknown>,
  convert: (item: unknown) => Item,
): AsyncGenerator<Item> {
  const seenIds = new Set<string>();
  let last: string | undefined;
  do {
    const { items, hasMore } = await request(connection, async () => {
      const page = pageOf(await list({ limit: 100, ...(last && { starting_after: last }) }));
      return { items: page.data.map(convert), hasMore: page.hasMore };
    });
    yield* items;
    last = hasMore ? items.at(-1)?.id : undefined;
    if (last && seenIds.has(last))
      throw reportError(connection, new PaymentUnexpected("Stripe repeats a list forever."));
    if (last) seenIds.add(last);
  } while (last);
}

/** A malformed signature: the library would report a failure instead of a forgery. */
const MALFORMED_SIGNATURE = /(?:^|,)v1\b(?!=[\da-f]+(?:,|$))/;

function readWebhook(
  { stripe, report }: Connection,
  secret: string,
  rawBody: Buffer,
  signature: string,
): WebhookEvent | null {
  if (MALFORMED_SIGNATURE.test(signature)) return null;
  try {
    return eventOf(stripe.webhooks.constructEvent(rawBody, signature, secret, REPLAY_WINDOW_SECONDS));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) {
      report(new PaymentUnavailable(`a webhook was refused: ${refusalOf(error)}`, { cause: error }));
      return null;
    }
    // constructEvent verifies before it parses, so the body is the cause
    throw new MalformedEvent("The body of a signed webhook is not an event.", { cause: error });
  }
}

/** The library checks the time last. */
function refusalOf({ message }: Error): string {
  return message.startsWith("Timestamp outside")
    ? `its time is not within ${REPLAY_WINDOW_SECONDS} seconds of this machine's clock`
    : "its signature is not made with STRIPE_WEBHOOK_SECRET";
}

async function request<T>(connection: Omit<Connection, "stripe">, call: () => Promise<T>): Promise<T> {
  try {
    return await withDeadline(connection, call);
  } catch (error) {
    throw reportError(connection, error);
  }
}

function reportError({ report }: Pick<Connection, "report">, error: unknown): Error {
  const failure = toPaymentError(error);
  if (failure instanceof PaymentUnavailable) report(failure);
  return failure;
}

function hasCode(error: unknown, code: string): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && isDocumented(error) && error.code === code
  );
}
