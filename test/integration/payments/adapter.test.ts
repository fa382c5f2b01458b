import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import { PaymentUnavailable } from "../../../shop/payments/provider-errors.ts";
import { type Fixture, openFixture, openIntent, payByPage, SECRET_KEY, WEBHOOK_SECRET } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

describe("an intent", () => {
  test("is opened for its purchase and found again", async () => {
    const intent = await openIntent(fixture);
    expect(intent).toMatchObject({
      status: "requires_payment_method",
      amountCents: 12_500,
      amountReceivedCents: 0,
      purchaseId: "purchase-1",
    });
    expect(intent.id).toMatch(/^pi_\w{24}$/);
    expect(intent.clientSecret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
    expect(await fixture.payments.findIntent(intent.id)).toEqual(intent);
  });

  test("that does not exist is null, whatever the id looks like", async () => {
    for (const id of ["pi_unknown", "", "../refunds", "pi_x/cancel", "ch_1"]) {
      expect(await fixture.payments.findIntent(id)).toBeNull();
    }
  });

  test("is cancelled permanently, and cancelling again returns it", async () => {
    const intent = await openIntent(fixture);
    expect(await fixture.payments.cancelIntent(intent.id)).toMatchObject({ status: "canceled" });
    expect(await fixture.payments.cancelIntent(intent.id)).toMatchObject({ status: "canceled" });
    expect(await payByPage(fixture, intent)).toMatchObject({
      status: 400,
      body: { error: { code: "payment_intent_unexpected_state", payment_intent: { status: "canceled" } } },
    });
  });

  test("that has been paid is not cancelled but returned as paid", async () => {
    const intent = await openIntent(fixture);
    await payByPage(fixture, intent);
    expect(await fixture.payments.cancelIntent(intent.id)).toMatchObject({
      status: "succeeded",
      amountReceivedCents: 12_500,
    });
  });
});

test("all intents since a time are listed, newest first, over several pages", async () => {
  const since = new Date(Math.floor(Date.now() / 1000) * 1000);
  const made: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    made.unshift((await openIntent(fixture)).id);
    // those of the same millisecond have no order
    await pause(2);
  }
  const listed = await Array.fromAsync(fixture.payments.intentsSince(since));
  expect(listed.map((one) => one.id).slice(0, 5)).toEqual(made);
  const paged = fixture.stripe.paymentIntents.list({
    limit: 2,
    created: { gte: Math.floor(since.getTime() / 1000) },
  });
  expect((await paged.autoPagingToArray({ limit: 5 })).map((one) => one.id)).toEqual(made);
  expect(await Array.fromAsync(fixture.payments.intentsSince(new Date(Date.now() + 60_000)))).toEqual([]);
});

test("an intent's metadata and amount can change until it is paid", async () => {
  const intent = await openIntent(fixture);
  const changed = await fixture.stripe.paymentIntents.update(intent.id, {
    amount: 700,
    metadata: { note: "x", email: "" },
  });
  expect(changed).toMatchObject({ amount: 700, metadata: { purchaseId: "purchase-1", note: "x" } });
  expect(changed.metadata).not.toHaveProperty("email");
  await payByPage(fixture, intent);
  await expect(fixture.stripe.paymentIntents.update(intent.id, { amount: 800 })).rejects.toMatchObject({
    code: "payment_intent_unexpected_state",
  });
});

describe("an unreachable provider", () => {
  const at = (apiBase: string) =>
    connectStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase });

  test("is PaymentUnavailable when nothing listens", async () => {
    await expect(at("http://127.0.0.1:1").findIntent("pi_1")).rejects.toThrow(PaymentUnavailable);
  });

  test.each([500, 503, 429])("is PaymentUnavailable when it responds %d", async (status) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "api_error", message: "no" } }));
    }).listen(0);
    const { port } = server.address() as { port: number };
    await expect(at(`http://127.0.0.1:${port}/x`).findIntent("pi_1")).rejects.toThrow(PaymentUnavailable);
    expect(requests).toBe(status === 429 ? 1 : 3);
    server.close();
  });

  test("is retried with the same key when a response was lost, and pays once", async () => {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      if (keys.length === 1) return void request.socket.destroy();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: "re_1", object: "refund", amount: 100, status: "succeeded" }));
    }).listen(0);
    const { port } = server.address() as { port: number };
    const refund = { intentId: "pi_1", reason: "gone", idempotencyKey: "one-key" };
    expect(await at(`http://127.0.0.1:${port}`).refund(refund)).toMatchObject({ id: "re_1" });
    expect(keys).toEqual(["one-key", "one-key"]);
    server.close();
  });
});
