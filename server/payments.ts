import { deliverPendingEvents } from "@stator/stripe-sandbox/deliver";
import { endProcessing } from "@stator/stripe-sandbox/end-processing";
import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { migrateSandbox, pendingSandboxMigrations } from "@stator/stripe-sandbox/migrate";
import { sandbox } from "@stator/stripe-sandbox/plugin";
import { pruneSandbox } from "@stator/stripe-sandbox/prune";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { migratePackage } from "../database/migrate.ts";
import { unavailabilityOf } from "../database/unavailability.ts";
import { checkKeys } from "../providers/payment/check-keys.ts";
import type { TraceRequest } from "../providers/payment/http-client.ts";
import { connectStripe } from "../providers/payment/stripe.ts";
import type { PaymentProvider } from "../shop/payments/provider.ts";
import { MalformedEvent, PaymentUnavailable } from "../shop/payments/provider-errors.ts";
import { handlePaymentEvent } from "../shop/payments/webhook.ts";
import type { Store } from "../shop/store.ts";
import { paymentRefusals } from "../shop/texts/payment-refusals.ts";
import { type Config, isPublic } from "./config.ts";
import { sendProblem } from "./http/problem.ts";
import type { JobOptions } from "./jobs/tasks.ts";
import type { Secrets } from "./secrets.ts";

export interface Payments {
  /** with the timeouts of jobs */
  provider: PaymentProvider;
  /** with the timeouts of interactive requests */
  interactive: PaymentProvider;
  card: { mode: "sandbox" | "stripe"; publishableKey: string };
  migrate: (direct: pg.Pool) => Promise<void>;
  addRoutes: (app: FastifyInstance, store: Store) => Promise<void>;
  periodicTasks: JobOptions["periodicTasks"];
}

export interface PaymentsOptions {
  /** where this process serves the sandbox; the store's own port by default */
  origin?: () => string;
  report?: (failure: PaymentUnavailable) => void;
  stopping?: AbortSignal;
  trace?: TraceRequest | undefined;
}

const SANDBOX_DELAY_SECONDS = 20;

const WEBHOOK_PATH = "/webhook/stripe";

/** The keys of the sandbox derive from the store's secret. */
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
  // warms the cache for the first buyer
  void provider.account();
  return {
    provider,
    interactive: {
      ...connectStripe({ ...connection, ...options, timeouts: "interactive" }),
      account: provider.account,
    },
    card: { mode: "stripe", publishableKey },
    migrate: async () => undefined,
    addRoutes: (app, store) => addWebhook(app, store, provider),
    periodicTasks: [],
  };
}

/** With test cards, buyers would get goods for nothing. Null with live keys, and if the store is not public. */
export function testPaymentsOf(config: Config): "sandbox" | "test" | null {
  if (!isPublic(config)) return null;
  const { STRIPE_SECRET_KEY: key } = config;
  if (!key) return "sandbox";
  return key.includes("_live_") ? null : "test";
}

const testPaymentLines = {
  sandbox: "no Stripe keys are set: the built-in sandbox takes test cards, and no money arrives",
  test: "the Stripe keys are test keys: Stripe takes test cards, and no money arrives",
};

/** Warns of test cards in a public store, and of keys that Stripe rejects. Never throws. */
export async function printPaymentProblems(config: Config, print: (line: string) => void): Promise<void> {
  const testPayments = testPaymentsOf(config);
  if (testPayments)
    print(
      `Card payment: ${config.publicUrl}: ${testPaymentLines[testPayments]}. Set live keys before buyers come.`,
    );
  const stripe = stripeOf(config);
  if (!stripe) return;
  const problems = await checkKeys({ ...stripe, webhookUrl: `${config.publicUrl}${WEBHOOK_PATH}` }).catch(
    (error: unknown) => [`Stripe could not be checked: ${error}`],
  );
  for (const line of problems) print(`Card payment: ${line}`);
}

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
  const deriveKey = (purpose: string) => secrets(purpose).replace(/\W/g, "0").slice(0, 24);
  const keys = {
    secretKey: `sk_test_${deriveKey("sandbox secret key")}`,
    publishableKey: `pk_test_${deriveKey("sandbox publishable key")}`,
  };
  const webhookSecret = `whsec_${deriveKey("sandbox webhook")}`;
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
    migrate: async (direct) => {
      // recording what changed takes longer than the rest of the start
      if ((await pendingSandboxMigrations(direct)).length > 0) await migratePackage(direct, migrateSandbox);
    },
    addRoutes: async (app, store) => {
      const isUnavailable = (error: unknown) => unavailabilityOf(error) !== undefined;
      await app.register(sandbox, { prefix: "/sandbox/stripe/v1", pool, webhook, isUnavailable, ...keys });
      await addWebhook(app, store, provider);
    },
    periodicTasks: [
      {
        name: "deliver sandbox events",
        everyMs: 2000,
        run: () => deliverPendingEvents(pool, webhook.url(), webhook.secret),
      },
      {
        name: "end the sandbox's processing",
        everyMs: 2000,
        run: () => endProcessing(pool, SANDBOX_DELAY_SECONDS),
      },
      {
        name: "return the sandbox's refunds",
        everyMs: 2000,
        run: () => failRefunds(pool, SANDBOX_DELAY_SECONDS),
      },
      { name: "prune the sandbox", everyMs: 3_600_000, run: () => pruneSandbox(pool) },
    ],
  };
}

function originOf({ HOST, PORT }: Config): string {
  if (HOST === "0.0.0.0" || HOST === "::") return `http://localhost:${PORT}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The signature covers the raw bytes, so the body is not parsed first. */
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
        // the provider retries the event
        if (error instanceof PaymentUnavailable)
          return sendProblem(reply, 503, paymentRefusals.paymentProviderDown);
        throw error;
      }
      return { received: true };
    });
  });
}
