/**
 * A payment provider that does not serve this store: wrong keys, missing permissions, rate limits, no connection. The
 * buyer is refused with a clear message and keeps the order, the log tells the operator what to fix, and afterwards
 * the same order can be paid.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { readConfig } from "../../../server/config.ts";
import { printPaymentProblems, testPaymentsOf } from "../../../server/payments.ts";
import { paymentRefusals } from "../../../shop/texts/payment-refusals.ts";
import { addProduct, openPaymentFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";
import { type FaultyProvider, openFaultyProvider } from "./faulty-provider.ts";
import {
  type Fixture,
  openFixture,
  PUBLISHABLE_KEY,
  payByPage,
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "./fixture.ts";

let fixture: Fixture;
let faulty: FaultyProvider;
let store: TestStore;
let buyer: SignedIn;
let admin: SignedIn;

const keys = (origin: string) => ({
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: origin,
});

beforeAll(async () => {
  fixture = await openFixture();
  faulty = await openFaultyProvider(fixture.base);
  store = await openStore({ environment: keys(faulty.base) });
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
});
afterEach(() => {
  faulty.override = null;
});
afterAll(async () => {
  await store.stop();
  await faulty.close();
  await fixture.close();
});

const unknownKey = {
  status: 401,
  error: { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_********cdef" },
};
const tooMany = {
  status: 429,
  error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests in a short time." },
};

describe.each([
  ["a key that Stripe does not know", unknownKey, /Stripe rejects STRIPE_SECRET_KEY: Invalid API Key/],
  [
    "a key that may not take payments",
    {
      status: 403,
      error: {
        type: "invalid_request_error",
        message: "The provided key 'rk_test_*********' does not have the required permissions.",
      },
    },
    /STRIPE_SECRET_KEY may not do what is needed: .* required permissions/,
  ],
  [
    "an account that cannot be charged yet",
    {
      status: 400,
      error: { type: "invalid_request_error", message: "Your account cannot currently make live charges." },
    },
    /Stripe rejects the request: Your account cannot currently/,
  ],
])("with %s", (_words, override, line) => {
  test("the buyer sees that card payment is unavailable and keeps the order, the operator sees what to fix", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    faulty.override = override;
    const parts = { body: { total: purchase.total, purchaseId: purchase._id } };
    const refused = await buyer.send("createPaymentIntent", parts);
    expect(refused).toMatchObject({ status: 503, body: { detail: paymentRefusals.paymentOutOfOrder } });
    expect(await buyer.send("createPaymentIntent", parts)).toMatchObject({ status: 503 });
    // reported once, not for every request
    expect(store.logs.expect(line)).toHaveLength(1);
    expect(await buyer.call("findOrder", { params: { id: purchase._id } })).toMatchObject({
      status: "unpaid",
    });
    faulty.override = null;
    await expectPayable(purchase);
  });
});

test("when Stripe limits the requests, the buyer can try again, and the log has a warning", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  faulty.override = tooMany;
  const refused = await buyer.send("createPaymentIntent", {
    body: { total: purchase.total, purchaseId: purchase._id },
  });
  expect(refused).toMatchObject({ status: 503, body: { detail: paymentRefusals.paymentProviderDown } });
  expect(JSON.parse(store.logs.expect(/Stripe limits the requests/)[0] ?? "")).toMatchObject({ level: 40 });
  faulty.override = null;
  await expectPayable(purchase);
});

test("after a failure of Stripe, which it repeats under the same key for a day, the order can be paid", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  faulty.override = { status: 500, error: { type: "api_error", message: "Something went wrong." } };
  const refused = await buyer.send("createPaymentIntent", {
    body: { total: purchase.total, purchaseId: purchase._id },
  });
  expect(refused).toMatchObject({ status: 503, body: { detail: paymentRefusals.paymentProviderDown } });
  store.logs.expect(/Stripe fails: Something went wrong/);
  faulty.override = null;
  await expectPayable(purchase);
});

test("a card charged while the key was wrong has paid its order once the key is right", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  const payment = await openPaymentFor(buyer, purchase);
  await payByPage(fixture, payment);
  const expiredKey = { ...unknownKey, error: { ...unknownKey.error, message: "Expired API Key provided" } };
  faulty.override = expiredKey;
  const parts = { params: { id: purchase._id }, body: { transactionId: payment.id } };
  expect(await buyer.send("confirmPayment", parts)).toMatchObject({ status: 503 });
  expect(await buyer.send("cancelPurchase", { params: { id: purchase._id } })).toMatchObject({ status: 503 });
  store.logs.expect(/Expired API Key provided/);
  faulty.override = null;
  expect(await buyer.call("confirmPayment", parts)).toMatchObject({ modifiedCount: 1 });
});

test("deleting an account while Stripe is down keeps the account and every order", async () => {
  const leaver = await register(store, "Lee");
  const tool = await addProduct(admin);
  const orders = [await placeFor(leaver, tool), await placeFor(leaver, tool), await placeFor(leaver, tool)];
  await openPaymentFor(leaver, orders[1] as Purchase);
  faulty.override = { ...unknownKey, error: { ...unknownKey.error, message: "Invalid API Key: the leaver" } };
  const leave = () => leaver.send("deleteAccount", { params: { email: leaver.email } });
  expect(await leave()).toMatchObject({ status: 503, body: { detail: paymentRefusals.paymentOutOfOrder } });
  store.logs.expect(/the leaver/);
  for (const { _id } of orders)
    expect(await leaver.send("findOrder", { params: { id: _id } })).toMatchObject({
      body: { status: "unpaid" },
    });
  faulty.override = null;
  expect((await leave()).status).toBe(200);
  for (const { _id } of orders)
    expect((await admin.send("findOrder", { params: { id: _id } })).status).toBe(404);
});

test("an admin's reconciliation says why the provider could not be read", async () => {
  faulty.override = { ...unknownKey, error: { ...unknownKey.error, message: "Invalid API Key: the books" } };
  const { faults } = await admin.call("reconcile", {});
  expect(faults).toEqual([
    expect.objectContaining({ detail: expect.stringMatching(/Stripe rejects STRIPE_SECRET_KEY/) }),
  ]);
  store.logs.expect(/the books/);
});

async function expectPayable(purchase: Awaited<ReturnType<typeof placeFor>>): Promise<void> {
  const payment = await openPaymentFor(buyer, purchase);
  await payByPage(fixture, payment);
  const parts = { params: { id: purchase._id }, body: { transactionId: payment.id } };
  expect(await buyer.call("confirmPayment", parts)).toMatchObject({ modifiedCount: 1 });
}

describe("at the start, problems are printed in a line each, and the store opens anyway", () => {
  const linesWith = async (more: Record<string, string>) => {
    const lines: string[] = [];
    const environment = { PUBLIC_URL: "https://store.example", ...keys(faulty.base), ...more };
    await printPaymentProblems(readConfig(environment), (line) => lines.push(line));
    expect(lines.shift()).toMatch(/the Stripe keys are test keys/);
    return lines;
  };
  const endpoint = (enabled_events: string[], url = "https://store.example/webhook/stripe") => ({
    id: "we_1",
    object: "webhook_endpoint",
    status: "enabled",
    url,
    enabled_events,
  });

  test("nothing, if there are no problems", async () => {
    faulty.endpoints = [endpoint(["*"])];
    expect(await linesWith({})).toEqual([]);
  });

  test.each(["", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:3000", "http://shop.localhost"])(
    "nothing, without keys if only this machine reaches the store (%j)",
    async (PUBLIC_URL) => {
      const lines: string[] = [];
      await printPaymentProblems(readConfig({ PUBLIC_URL }), (line) => lines.push(line));
      expect(lines).toEqual([]);
    },
  );

  test.each(["https://store.example", "http://192.168.1.5:3000", "http://store.lan", "http://[fd00::5]"])(
    "that test cards pay, without keys if others reach the store (%j)",
    async (PUBLIC_URL) => {
      const lines: string[] = [];
      await printPaymentProblems(readConfig({ PUBLIC_URL }), (line) => lines.push(line));
      expect(lines).toEqual([
        `Card payment: ${PUBLIC_URL}: no Stripe keys are set: the built-in sandbox takes test cards, and no money arrives. Set live keys before buyers come.`,
      ]);
    },
  );

  test("nothing about test cards with live keys", () => {
    const live = { STRIPE_SECRET_KEY: "sk_live_a", STRIPE_PUBLISHABLE_KEY: "pk_live_a" };
    const environment = {
      PUBLIC_URL: "https://store.example",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ...live,
    };
    expect(testPaymentsOf(readConfig(environment))).toBeNull();
  });

  test("a secret key that Stripe rejects", async () => {
    expect(await linesWith({ STRIPE_SECRET_KEY: "sk_test_aaaaaaaaaaaaaaaaaaaa" })).toEqual([
      "Card payment: Stripe rejects STRIPE_SECRET_KEY: Invalid API Key provided: sk_test_********aaaa",
    ]);
  });

  test("a publishable key that Stripe rejects", async () => {
    expect(await linesWith({ STRIPE_PUBLISHABLE_KEY: "pk_test_aaaaaaaaaaaaaaaaaaaa" })).toEqual([
      "Card payment: Stripe rejects STRIPE_PUBLISHABLE_KEY: Invalid API Key provided: pk_test_********aaaa",
    ]);
  });

  test("an unreachable Stripe", async () => {
    expect(await linesWith({ STRIPE_API_BASE: "http://127.0.0.1:9" })).toEqual([
      expect.stringMatching(/^Card payment: Stripe cannot be reached: /),
    ]);
  });

  test("a webhook that is missing, or receives too few events", async () => {
    faulty.endpoints = [endpoint(["*"], "https://other.example/webhook/stripe")];
    expect(await linesWith({})).toEqual([
      expect.stringMatching(/no webhook endpoint for https:\/\/store\.example\/webhook\/stripe/),
    ]);
    faulty.endpoints = [endpoint(["payment_intent.succeeded", "charge.refunded"])];
    expect(await linesWith({})).toEqual([
      expect.stringMatching(/does not receive payment_intent\.payment_failed, .*charge\.dispute\.created/),
    ]);
  });

  test("a live and a test key together stop the start", () => {
    const mixed = { ...keys(faulty.base), STRIPE_PUBLISHABLE_KEY: "pk_live_aaaaaaaaaaaaaaaaaaaa" };
    expect(() => readConfig(mixed)).toThrow(
      "STRIPE_SECRET_KEY is a test key, STRIPE_PUBLISHABLE_KEY a live key: both must be of one mode.",
    );
  });
});
