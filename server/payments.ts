/** Card payment: Stripe with the owner's keys, or the embedded sandbox on the store's own port. */
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { checkKeys } from "../providers/payment/check-keys.ts";
import { deliverPendingEvents } from "../providers/payment/sandbox/deliver.ts";
import { endProcessing } from "../providers/payment/sandbox/end-processing.ts";
import { failRefunds } from "../providers/payment/sandbox/fail-refunds.ts";
import { sandbox } from "../providers/payment/sandbox/plugin.ts";
import { pruneSandbox } from "../providers/payment/sandbox/prune.ts";
import { connectStripe } from "../providers/payment/stripe.ts";
import type { PaymentProvider } from "../shop/payments/provider.ts";
import { MalformedEvent, PaymentUnavailable } from "../shop/payments/provider-errors.ts";
import { handlePaymentEvent } from "../shop/payments/webhook.ts";
import type { Store } from "../shop/store.ts";
import { paymentRefusals } from "../shop/texts/payment-refusals.ts";
import type { Config } from "./config.ts";
import { sendProblem } from "./http/problem.ts";
import type { JobOptions } from "./jobs/tasks.ts";
import type { Secrets } from "./secrets.ts";

export interface Payments {
  /** with the timeouts of background jobs */
  provider: PaymentProvider;
  /** with the timeouts of requests that a user waits for */
  interactive: PaymentProvider;
  /** what a page needs to take a card */
  card: { mode: "sandbox" | "stripe"; publishableKey: string };
  addRoutes: (app: FastifyInstance, store: Store) => Promise<void>;
  rounds: JobOptions["rounds"];
}

export interface PaymentsOptions {
  /** where this process serves the sandbox; by default, the store's own port */
  origin?: () => string;
  /** hears of calls to the provider that could not be made */
  report?: (trouble: PaymentUnavailable) => void;
  /** gives up what jobs ask the provider, when the store stops */
  stopping?: AbortSignal;
}

/** how long the sandbox's slow banks take to decide, or to send a refund back */
const SANDBOX_DELAY_SECONDS = 20;

const WEBHOOK_PATH = "/webhook/stripe";

/** Connects to Stripe where the owner gave keys, else to the sandbox, whose keys are made here. */
export function connectPayments(
  config: Config,
  secrets: Secrets,
  pool: pg.Pool,
  options: PaymentsOptions = {},
): Payments {
  const stripe = stripeOf(config);
  if (!stripe) return connectSandbox(config, secrets, pool, options);
  const { publishableKey, ...connection } = stripe;
  const provider = connectStripe({ ...connection, ...options });
  // asked now, so that the first buyer does not wait for it
  void provider.account();
  return {
    provider,
    interactive: {
      ...connectStripe({ ...connection, ...options, timeouts: "interactive" }),
      account: provider.account,
    },
    card: { mode: "stripe", publishableKey },
    addRoutes: (app, store) => addWebhook(app, store, provider),
    rounds: [],
  };
}

/**
 * What takes test cards in a store that others than this machine can reach: buyers could pay with them, and nobody would
 * notice until the goods have left. Null where cards are charged, or only this machine reaches the store.
 */
export function testPaymentsOf({ publicUrl, STRIPE_SECRET_KEY: key }: Config): "sandbox" | "test" | null {
  const { hostname } = new URL(publicUrl);
  if (/^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return null;
  if (!key) return "sandbox";
  return key.includes("_live_") ? null : "test";
}

const testPaymentLines = {
  sandbox: "no Stripe keys are set: the built-in sandbox takes test cards, and no money arrives",
  test: "the Stripe keys are test keys: Stripe takes test cards, and no money arrives",
};

/**
 * Says what is wrong with card payment: test cards in a public store, and keys that Stripe does not accept. Never throws: a store whose
 * card provider is away is still open.
 */
export async function printPaymentProblems(config: Config, say: (line: string) => void): Promise<void> {
  const testPayments = testPaymentsOf(config);
  if (testPayments)
    say(
      `Card payment: ${config.publicUrl}: ${testPaymentLines[testPayments]}. Set live keys before buyers come.`,
    );
  const stripe = stripeOf(config);
  if (!stripe) return;
  const wrong = await checkKeys({ ...stripe, webhookUrl: `${config.publicUrl}${WEBHOOK_PATH}` }).catch(
    (error: unknown) => [`Stripe could not be checked: ${error}`],
  );
  for (const line of wrong) say(`Card payment: ${line}`);
}

/** What the owner gave to reach Stripe; undefined without keys. */
function stripeOf(config: Config) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = config;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config;
  if (!secretKey || !publishableKey || !webhookSecret) return undefined;
  return { secretKey, publishableKey, webhookSecret, ...(apiBase && { apiBase }) };
}

function connectSandbox(
  config: Config,
  secrets: Secrets,
  pool: pg.Pool,
  { origin = () => originOf(config), ...reporting }: PaymentsOptions,
): Payments {
  const letters = (purpose: string) => secrets(purpose).replace(/\W/g, "0").slice(0, 24);
  const keys = {
    secretKey: `sk_test_${letters("sandbox secret key")}`,
    publishableKey: `pk_test_${letters("sandbox publishable key")}`,
  };
  const webhookSecret = `whsec_${letters("sandbox webhook")}`;
  const connection = {
    secretKey: keys.secretKey,
    webhookSecret,
    mode: "sandbox" as const,
    apiBase: config.STRIPE_API_BASE ?? (() => `${origin()}/sandbox/stripe`),
    ...reporting,
  };
  const provider = connectStripe(connection);
  const webhook = { url: () => `${origin()}${WEBHOOK_PATH}`, secret: webhookSecret };
  return {
    provider,
    interactive: connectStripe({ ...connection, timeouts: "interactive" }),
    card: { mode: "sandbox", publishableKey: keys.publishableKey },
    addRoutes: async (app, store) => {
      await app.register(sandbox, { prefix: "/sandbox/stripe/v1", pool, webhook, ...keys });
      await addWebhook(app, store, provider);
    },
    rounds: [
      {
        name: "deliver sandbox events",
        everyMs: 2000,
        work: () => deliverPendingEvents(pool, webhook.url(), webhook.secret),
      },
      {
        name: "end the sandbox's processing",
        everyMs: 2000,
        work: () => endProcessing(pool, SANDBOX_DELAY_SECONDS),
      },
      {
        name: "return the sandbox's refunds",
        everyMs: 2000,
        work: () => failRefunds(pool, SANDBOX_DELAY_SECONDS),
      },
      { name: "prune the sandbox", everyMs: 3_600_000, work: () => pruneSandbox(pool) },
    ],
  };
}

/** Where this process reaches itself. */
function originOf({ HOST, PORT }: Config): string {
  if (HOST === "0.0.0.0" || HOST === "::") return `http://localhost:${PORT}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The provider's signed events; the signature is over the bytes, so the body is not parsed before. */
async function addWebhook(app: FastifyInstance, store: Store, provider: PaymentProvider): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(WEBHOOK_PATH, { config: { rateLimit: false } }, async (request, reply) => {
      const signature = request.headers["stripe-signature"];
      const isSigned = Buffer.isBuffer(request.body) && typeof signature === "string";
      try {
        const event = isSigned ? provider.readWebhook(request.body as Buffer, signature as string) : null;
        if (!event) return sendProblem(reply, 400, paymentRefusals.badSignature);
        await handlePaymentEvent(store, event);
      } catch (error) {
        if (error instanceof MalformedEvent) return sendProblem(reply, 400, paymentRefusals.badEvent);
        // it sends the event again
        if (error instanceof PaymentUnavailable)
          return sendProblem(reply, 503, paymentRefusals.paymentProviderDown);
        throw error;
      }
      return { received: true };
    });
  });
}
