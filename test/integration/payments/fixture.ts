/** A sandbox on a real server and database, with the official library and the store's adapter connected to it. */

import { deliverPendingEvents } from "@stator/stripe-sandbox/deliver";
import { sandbox } from "@stator/stripe-sandbox/plugin";
import Fastify from "fastify";
import type pg from "pg";
import Stripe from "stripe";
import { createHttpClient } from "../../../providers/payment/http-client.ts";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import type { PaymentProvider, WebhookEvent } from "../../../shop/payments/provider.ts";
import { freshDatabase } from "../../harness/database.ts";
import { cards } from "../../harness/orders.ts";

export const SECRET_KEY = "sk_test_0123456789abcdef";
export const PUBLISHABLE_KEY = "pk_test_0123456789abcdef";
export const WEBHOOK_SECRET = "whsec_test_secret";

export interface Fixture {
  pool: pg.Pool;
  /** the official library with the secret key, for calls that the adapter lacks */
  stripe: Stripe;
  payments: PaymentProvider;
  /** `http://127.0.0.1:…/sandbox/stripe` */
  base: string;
  /** verified events in order of arrival; the webhook responds with `webhookStatuses[n]` to the n-th, then 200 */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
  receivedEvents: (WebhookEvent & { id: string; object: any })[];
  webhookStatuses: number[];
  /** a form post like a page's, without a key unless `headers` has one */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<JsonReply>;
  get(path: string, headers?: Record<string, string>): Promise<JsonReply>;
  deliver(): Promise<{ delivered: number; failed: number }>;
  /** closes all but the database, which others may copy; returns its name */
  seal(): Promise<string>;
  close(): Promise<void>;
}

/** `body` is asserted member by member. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
type JsonReply = { status: number; headers: Headers; body: any };

/** `deliverAtOnce`: whether events are delivered after each change; `template`: the database to copy. */
export async function openFixture({
  deliverAtOnce = false,
  template,
}: {
  deliverAtOnce?: boolean;
  template?: string | undefined;
} = {}): Promise<Fixture> {
  const { pool, seal, drop } = await freshDatabase({ template });
  const app = Fastify();
  const origin = () => `http://127.0.0.1:${(app.server.address() as { port: number }).port}`;
  const base = () => `${origin()}/sandbox/stripe`;
  const payments = connectStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: base });
  const receivedEvents: Fixture["receivedEvents"] = [];
  const webhookStatuses: number[] = [];
  const deliver = () => deliverPendingEvents(pool, `${origin()}/webhook`, WEBHOOK_SECRET);
  await app.register(sandbox, {
    prefix: "/sandbox/stripe/v1",
    pool,
    webhook: { url: () => `${origin()}/webhook`, secret: WEBHOOK_SECRET },
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    ...(!deliverAtOnce && { deliver: async () => undefined }),
  });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  app.post("/webhook", async (request, reply) => {
    const signature = String(request.headers["stripe-signature"]);
    const event = payments.readWebhook(request.body as Buffer, signature);
    if (!event) return reply.code(400).send();
    const { id, data } = JSON.parse(String(request.body));
    receivedEvents.push({ ...event, id, object: data.object });
    return reply.code(webhookStatuses.shift() ?? 200).send();
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const call = async (path: string, init: RequestInit): Promise<JsonReply> => {
    const response = await fetch(`${base()}/v1${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    pool,
    stripe: new Stripe(SECRET_KEY, {
      httpClient: createHttpClient(base),
      maxNetworkRetries: 0,
      telemetry: false,
    }),
    payments,
    base: base(),
    receivedEvents,
    webhookStatuses,
    post: (path, form, headers = {}) =>
      call(path, { method: "POST", body: new URLSearchParams(form), headers }),
    get: (path, headers = {}) => call(path, { headers }),
    deliver,
    seal: async () => {
      await app.close();
      return seal();
    },
    close: async () => {
      await app.close();
      await drop();
    },
  };
}

/** A payment of $125.00 opened by the store. */
export function openIntent(fixture: Fixture, amountCents = 12_500) {
  return fixture.payments.createIntent({
    amountCents,
    currency: "usd",
    purchaseId: "purchase-1",
    email: "buyer@example.com",
    idempotencyKey: crypto.randomUUID(),
  });
}

/** The form of a card as the page sends it. */
export function cardForm(
  number: string = cards.good,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    type: "card",
    "card[number]": number,
    "card[exp_month]": "12",
    "card[exp_year]": String(new Date().getUTCFullYear() + 2),
    "card[cvc]": number.startsWith("3") ? "1234" : "123",
    "billing_details[name]": "Ada Buyer",
    "billing_details[email]": "buyer@example.com",
    ...more,
  };
}

/** As the payment page does: creates the payment method, then confirms with the client secret and no key. */
export async function payByPage(
  fixture: Fixture,
  intent: { id: string; clientSecret: string },
  number: string = cards.good,
) {
  const method = await fixture.post("/payment_methods", cardForm(number));
  if (method.status !== 200) return method;
  return fixture.post(`/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.clientSecret,
    payment_method: method.body.id,
  });
}
