/**
 * A payment provider with undocumented responses, at the start and later: the process survives, callers see one kind
 * of error, and calls succeed once it responds properly. Also signed webhooks with any body.
 */
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import { timeouts } from "../../../providers/payment/timeouts.ts";
import { readConfig } from "../../../server/config.ts";
import { printPaymentProblems } from "../../../server/payments.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import type { PaymentProvider } from "../../../shop/payments/provider.ts";
import { PaymentUnavailable, PaymentUnexpected } from "../../../shop/payments/provider-errors.ts";
import { paymentRefusals } from "../../../shop/texts/payment-refusals.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { addProduct, disablePolling, openPaymentFor, placeFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";
import { type FaultyProvider, type Override, openFaultyProvider } from "./faulty-provider.ts";
import {
  type Fixture,
  openFixture,
  openIntent,
  PUBLISHABLE_KEY,
  payByPage,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "./fixture.ts";

// short timeouts, so that the tests do not wait
for (const limits of Object.values(timeouts))
  Object.assign(limits, { tryMs: 1000, retries: 0, longestMs: 1500 });

let fixture: Fixture;
let faulty: FaultyProvider;
let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  fixture = await openFixture();
  faulty = await openFaultyProvider(fixture.base);
  store = await openStore({
    environment: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: faulty.base,
    },
  });
  await disablePolling(store);
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
});
afterEach(() => {
  faulty.override = null;
});
afterAll(async () => {
  store.logs.expect(/card payment: Stripe/);
  await store.stop();
  await faulty.close();
  await fixture.close();
});

const json = (body: unknown, status = 200): Override => ({ status, raw: JSON.stringify(body) });
const intent = {
  object: "payment_intent",
  id: "pi_other",
  client_secret: "pi_other_secret_1",
  status: "succeeded",
  amount: 12_500,
  amount_received: 12_500,
  currency: "usd",
  metadata: {},
};
const overrides: [string, Override][] = [
  ["404 without an error", json({ message: "Not Found" }, 404)],
  ["an empty object", json({})],
  ["an empty array", json([])],
  ["null", json(null)],
  ["a string", json("hello")],
  ["a number", json(5)],
  ["nothing", { status: 200, raw: "" }],
  ["HTML", { status: 200, raw: "<!doctype html><title>Maintenance</title>" }],
  ["HTML with 502", { status: 502, raw: "<h1>Bad gateway</h1>" }],
  ["a redirect", { status: 302, raw: "" }],
  ["half a JSON", { status: 200, raw: '{"id":"pi_1","data":[' }],
  ["a list without data", json({ object: "list", has_more: false })],
  ["a list of nulls", json({ object: "list", data: [null], has_more: true })],
  ["a list of something else", json({ data: { 0: intent }, has_more: false })],
  ["200 with an error", json({ error: { type: "invalid_request_error", message: "No." } })],
  ["200 with an error in words", json({ error: "no" })],
  ["an error that is none", json({ error: true }, 400)],
  ["an error of an unknown type", json({ error: { type: "weather", message: 5 } }, 400)],
  ["another payment", json(intent)],
  ["a payment of wrong types", json({ ...intent, id: 5, amount: "12500", status: null })],
  ["a payment with NUL", json({ ...intent, id: "pi_\0", metadata: { purchaseId: "\0" } })],
  ["silence", "silence"],
  ["a hang-up", "hang up"],
];

const calls: [string, (payments: PaymentProvider) => Promise<unknown>][] = [
  ["createIntent", (payments) => openIntent({ payments } as Fixture, 500)],
  ["findIntent", (payments) => payments.findIntent("pi_1")],
  ["cancelIntent", (payments) => payments.cancelIntent("pi_1")],
  ["refund", (payments) => payments.refund({ intentId: "pi_1", reason: "x", idempotencyKey: "x" })],
  ["intentsSince", (payments) => Array.fromAsync(payments.intentsSince(new Date()))],
  ["refundsOf", (payments) => Array.fromAsync(payments.refundsOf("pi_1"))],
  ["disputesOf", (payments) => Array.fromAsync(payments.disputesOf("pi_1"))],
  ["disputesSince", (payments) => Array.fromAsync(payments.disputesSince(new Date()))],
];

describe.each(overrides)("called by the store, Stripe responds with %s", (_words, override) => {
  test("every call is refused as an error of the provider", async () => {
    const reported: string[] = [];
    const payments = connectStripe({
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      apiBase: faulty.base,
      report: ({ message }) => reported.push(message),
    });
    faulty.override = override;
    for (const [name, call] of calls) {
      const failure = await call(payments).catch((error: unknown) => error);
      expect(failure, name).toBeInstanceOf(PaymentUnavailable);
    }
    expect(reported).toHaveLength(calls.length);
  });

  test("the start reports it in a line and continues", async () => {
    faulty.override = override;
    const lines: string[] = [];
    const environment = {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: faulty.base,
    };
    await printPaymentProblems(readConfig(environment), (line) => lines.push(line));
    expect(lines).toEqual([expect.stringMatching(/^Card payment: Stripe /)]);
  });
});

test.each(overrides)("a buyer keeps the order and pays it later, after %s", async (_words, override) => {
  const [unopened, charged] = [await order(), await order()];
  const payment = await openPaymentFor(buyer, charged);
  await payByPage(fixture, payment);
  faulty.override = override;
  const opening = { body: { total: unopened.total, purchaseId: unopened._id } };
  const settling = { params: { id: charged._id }, body: { transactionId: payment.id } };
  const down = { status: 503, body: { detail: expect.stringMatching(/payment provider|Card payment/) } };
  expect(await buyer.send("createPaymentIntent", opening)).toMatchObject(down);
  expect(await buyer.send("confirmPayment", settling)).toMatchObject(down);
  expect(await buyer.send("cancelPurchase", { params: { id: charged._id } })).toMatchObject(down);
  await store.pool.query("UPDATE shop.payment SET checked_at = now() - interval '1 hour'");
  await pollOpenPayments(shopOf(store));
  faulty.override = null;
  expect(await buyer.call("findOrder", { params: { id: charged._id } })).toMatchObject({ status: "unpaid" });
  expect(await buyer.call("confirmPayment", settling)).toMatchObject({ modifiedCount: 1 });
  expect(await buyer.call("createPaymentIntent", opening)).toHaveProperty("clientSecret");
});

test("an unknown status leaves the payment pending", async () => {
  const purchase = await order();
  const payment = await openPaymentFor(buyer, purchase);
  const found = await fixture.stripe.paymentIntents.retrieve(payment.id);
  faulty.override = json({ ...found, status: "requires_patience" });
  const settling = { params: { id: purchase._id }, body: { transactionId: payment.id } };
  expect(await buyer.send("confirmPayment", settling)).toMatchObject({
    status: 409,
    body: { detail: refusals.transactionNotSucceeded },
  });
  expect(await buyer.send("cancelPurchase", { params: { id: purchase._id } })).toMatchObject({
    status: 409,
    body: { detail: paymentRefusals.paymentUnderWay },
  });
});

test("an order whose payment is no longer known to the provider can be cancelled", async () => {
  const purchase = await order();
  await openPaymentFor(buyer, purchase);
  const error = {
    type: "invalid_request_error",
    code: "resource_missing",
    message: "No such payment_intent",
  };
  faulty.override = { status: 404, error };
  expect(await buyer.call("cancelPurchase", { params: { id: purchase._id } })).toEqual({ deletedCount: 1 });
});

test("reading an endless list is aborted", async () => {
  const payments = connectStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    apiBase: faulty.base,
  });
  faulty.override = json({ object: "list", data: [intent], has_more: true });
  const all = Array.fromAsync(payments.intentsSince(new Date(0)));
  await expect(all).rejects.toThrow(PaymentUnexpected);
});

test("a payment id with every character allowed in a URL is looked up at the provider", async () => {
  const purchase = await order();
  const transactionId = `pi_3-a_b.c~${"X".repeat(60)}`;
  faulty.requests.length = 0;
  expect(
    await buyer.send("confirmPayment", { params: { id: purchase._id }, body: { transactionId } }),
  ).toMatchObject({ status: 422, body: { detail: paymentRefusals.transactionUnknown } });
  expect(faulty.requests).toEqual([`GET /v1/payment_intents/${transactionId}`]);
});

describe("a webhook with a valid signature", () => {
  const event = (more: object) => JSON.stringify({ id: "evt_1", object: "event", created: 1, ...more });
  const about = (type: string, object: unknown) => event({ type, data: { object } });
  const post = async (body: string) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const payload = Buffer.from(body).toString("utf8");
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp,
    });
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const response = await fetch(`${store.url}/webhook/stripe`, { method: "POST", headers, body });
    return { status: response.status, body: await response.json() };
  };

  test.each([
    "not JSON",
    "{",
    "{}",
    "[]",
    "null",
    "5",
    '"text"',
    event({}),
    event({ type: 5 }),
    event({ type: "payment_intent.succeeded" }),
    event({ type: "payment_intent.succeeded", data: null }),
    event({ type: "payment_intent.succeeded", data: [] }),
    event({ type: "charge.refunded", data: {} }),
    event({ type: "a\0b" }),
    about("payment_intent.succeeded", {}),
    about("payment_intent.succeeded", null),
    about("payment_intent.succeeded", "pi_1"),
    about("payment_intent.succeeded", { id: 5 }),
    about("payment_intent.succeeded", { id: ["pi_1"] }),
    about("payment_intent.succeeded", { id: "pi_\0" }),
    about("payment_intent.succeeded", { id: `pi_${"x".repeat(5000)}` }),
    about("charge.refunded", { payment_intent: 5 }),
    about("charge.dispute.created", { payment_intent: { id: {} } }),
    about("refund.failed", { payment_intent: "pi_\0" }),
    JSON.stringify({ id: 5, type: "payment_intent.succeeded", data: { object: { id: "pi_1" } } }),
  ])("and without an event is refused (%j)", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { detail: paymentRefusals.badEvent } });
  });

  test.each([
    event({ type: "customer.created", data: { object: { id: 5 } } }),
    event({ type: "weather.changed" }),
    event({ type: "" }),
    about("payment_intent.succeeded", { id: "pi_of_nobody" }),
    about("payment_intent.teleported", { id: "pi_of_nobody" }),
    about("charge.refunded", { payment_intent: null }),
    about("charge.dispute.closed", {}),
  ])("of another store is accepted (%j)", async (body) => {
    expect(await post(body)).toEqual({ status: 200, body: { received: true } });
  });
});

async function order() {
  return placeFor(buyer, await addProduct(admin));
}
