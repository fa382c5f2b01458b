import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RefundRejected } from "../../../shop/payments/provider-errors.ts";
import { type Fixture, openFixture, openIntent, payByPage } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function paid(card?: string) {
  const intent = await openIntent(fixture, 10_000);
  await payByPage(fixture, intent, card);
  return intent;
}

function refundIntent(intentId: string, amountCents?: number, idempotencyKey: string = crypto.randomUUID()) {
  return fixture.payments.refund({
    intentId,
    reason: "the purchase is gone",
    idempotencyKey,
    ...(amountCents !== undefined && { amountCents }),
  });
}

async function chargeOf(intentId: string) {
  const intent = await fixture.stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] });
  return intent.latest_charge;
}

test("a refund without an amount refunds everything", async () => {
  const intent = await paid();
  const refund = await refundIntent(intent.id);
  expect(refund).toMatchObject({ status: "succeeded", amountCents: 10_000 });
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 10_000, refunded: true });
  expect(await fixture.stripe.refunds.retrieve(refund.id)).toMatchObject({
    object: "refund",
    payment_intent: intent.id,
    metadata: { reason: "the purchase is gone" },
  });
});

test("partial refunds add up and never exceed the payment", async () => {
  const intent = await paid();
  await refundIntent(intent.id, 4_000);
  await refundIntent(intent.id, 3_500);
  await expect(refundIntent(intent.id, 2_501)).rejects.toThrow(RefundRejected);
  await expect(refundIntent(intent.id, 2_501)).rejects.toThrow(
    "Refund amount ($25.01) is greater than unrefunded amount on charge ($25.00)",
  );
  expect(await refundIntent(intent.id)).toMatchObject({ amountCents: 2_500 });
  await expect(refundIntent(intent.id, 1)).rejects.toThrow("has already been refunded.");
  const refunds = await Array.fromAsync(fixture.payments.refundsOf(intent.id));
  expect(refunds.map((one) => one.amountCents).sort()).toEqual([2_500, 3_500, 4_000]);
});

test("twenty concurrent refunds refund exactly the payment", async () => {
  const intent = await paid();
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => refundIntent(intent.id, 1_500)));
  expect(tries.filter((one) => one.status === "fulfilled")).toHaveLength(6);
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 9_000, refunded: false });
});

test("a double click on refund with one key is one refund", async () => {
  const intent = await paid();
  const [one, other] = await Promise.all([
    refundIntent(intent.id, 2_000, "twice"),
    refundIntent(intent.id, 2_000, "twice"),
  ]);
  expect(one).toEqual(other);
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 2_000 });
});

test("a second full refund, with another key, returns the existing one", async () => {
  const intent = await paid();
  const first = await refundIntent(intent.id);
  expect(await refundIntent(intent.id)).toEqual(first);
});

test("an unpaid intent cannot be refunded", async () => {
  const intent = await openIntent(fixture);
  await expect(refundIntent(intent.id)).rejects.toThrow("does not have a successful charge to refund.");
  await expect(refundIntent("pi_unknown")).rejects.toMatchObject({
    name: "PaymentMisconfigured",
    cause: { statusCode: 404, code: "resource_missing" },
  });
});

test("a card that rejects a refund fails it later, and it can be repeated", async () => {
  const intent = await paid("4000000000005126");
  const refund = await refundIntent(intent.id, 4_000);
  expect(refund).toMatchObject({ status: "succeeded", failure: null });
  expect(await failRefunds(fixture.pool, 60)).toBe(0);
  const turns = await Promise.all([failRefunds(fixture.pool, 0), failRefunds(fixture.pool, 0)]);
  expect(turns[0] + turns[1]).toBe(1);
  const [known] = await Array.fromAsync(fixture.payments.refundsOf(intent.id));
  expect(known).toEqual({ ...refund, status: "failed", failure: "expired_or_canceled_card" });
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 0, refunded: false });
  await fixture.deliver();
  const failedEvent = { type: "refund.failed", intentId: intent.id };
  expect(fixture.receivedEvents).toContainEqual(expect.objectContaining(failedEvent));
  expect(await refundIntent(intent.id)).toMatchObject({ status: "succeeded", amountCents: 10_000 });
});
