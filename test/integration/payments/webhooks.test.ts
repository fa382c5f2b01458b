import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import { type Fixture, openFixture, openIntent, payByPage, SECRET_KEY, WEBHOOK_SECRET } from "./fixture.ts";

let fixture: Fixture;
afterEach(() => fixture.close());

function sign(body: string, secret = WEBHOOK_SECRET, age = 0) {
  const timestamp = Math.floor(Date.now() / 1000) - age;
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}

describe("a webhook's signature", () => {
  beforeEach(async () => {
    fixture = await openFixture();
  });

  test("is accepted when it is valid and recent, and the event names its payment", async () => {
    const intent = await openIntent(fixture);
    const object = await fixture.stripe.paymentIntents.retrieve(intent.id);
    const body = JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "payment_intent.succeeded",
      created: 1,
      data: { object },
    });
    expect(fixture.payments.readWebhook(Buffer.from(body), sign(body))).toEqual({
      type: "payment_intent.succeeded",
      intentId: intent.id,
    });
  });

  test("is refused when forged, too old, for another body, or missing", async () => {
    const body = JSON.stringify({
      id: "evt_1",
      object: "event",
      type: "x",
      created: 1,
      data: { object: {} },
    });
    const reported: string[] = [];
    const report = ({ message }: Error) => void reported.push(message);
    const payments = connectStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, report });
    const read = (signature: string, text = body) => payments.readWebhook(Buffer.from(text), signature);
    expect(read(sign(body))).not.toBeNull();
    expect(read(sign(body, WEBHOOK_SECRET, 299))).not.toBeNull();
    expect(read(sign(body, WEBHOOK_SECRET, 301))).toBeNull();
    expect(read(sign(body, "whsec_other"))).toBeNull();
    expect(read(sign(body), body.replace("evt_1", "evt_2"))).toBeNull();
    expect(read("t=1,v1=00")).toBeNull();
    expect(read("nonsense")).toBeNull();
    expect(read("")).toBeNull();
    const [late, ...others] = reported;
    expect(late).toBe("a webhook was refused: its time is not within 300 seconds of this machine's clock");
    expect([...new Set(others)]).toEqual([
      "a webhook was refused: its signature is not made with STRIPE_WEBHOOK_SECRET",
    ]);
  });
});

describe("events", () => {
  beforeEach(async () => {
    fixture = await openFixture();
  });

  test("report every change of a payment, each once, with the object as it was then", async () => {
    const intent = await openIntent(fixture);
    await payByPage(fixture, intent, "4000000000000002");
    await payByPage(fixture, intent, "4000000000003220");
    await payByPage(fixture, intent);
    await fixture.payments.refund({ intentId: intent.id, reason: "gone", idempotencyKey: "r" });
    const other = await openIntent(fixture);
    await fixture.payments.cancelIntent(other.id);
    expect(await fixture.deliver()).toEqual({ delivered: 6, failed: 0 });
    expect(await fixture.deliver()).toEqual({ delivered: 0, failed: 0 });
    const received = fixture.receivedEvents.map((one) => [one.type, one.intentId, one.object.status]);
    expect(received).toHaveLength(6);
    expect(received).toEqual(
      expect.arrayContaining([
        ["payment_intent.payment_failed", intent.id, "requires_payment_method"],
        ["payment_intent.requires_action", intent.id, "requires_action"],
        ["payment_intent.succeeded", intent.id, "succeeded"],
        ["charge.refunded", intent.id, "succeeded"],
        ["refund.updated", intent.id, "succeeded"],
        ["payment_intent.canceled", other.id, "canceled"],
      ]),
    );
  });

  test("that were not received are retried, with growing delays, until they are", async () => {
    const intent = await openIntent(fixture);
    await fixture.payments.cancelIntent(intent.id);
    fixture.webhookStatuses.push(500, 302);
    expect(await fixture.deliver()).toEqual({ delivered: 0, failed: 1 });
    expect(await fixture.deliver()).toEqual({ delivered: 0, failed: 0 });
    const wait = async () => {
      const { rows } = await fixture.pool.query<{ seconds: number; last_error: string }>(
        "SELECT extract(epoch FROM next_attempt_at - now())::float AS seconds, last_error FROM sandbox.event",
      );
      await fixture.pool.query(
        "UPDATE sandbox.event SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL",
      );
      return rows[0];
    };
    expect(await wait()).toMatchObject({ last_error: "the webhook responded 500" });
    expect(await fixture.deliver()).toEqual({ delivered: 0, failed: 1 });
    expect((await wait())?.seconds).toBeGreaterThan(1);
    expect(await fixture.deliver()).toEqual({ delivered: 1, failed: 0 });
    expect(new Set(fixture.receivedEvents.map((one) => one.id)).size).toBe(1);
  });

  test("are shared by several processes, so that each is posted once", async () => {
    for (let round = 0; round < 30; round += 1)
      await fixture.payments.cancelIntent((await openIntent(fixture)).id);
    const sums = await Promise.all([fixture.deliver(), fixture.deliver(), fixture.deliver()]);
    expect(sums.reduce((sum, one) => sum + one.delivered, 0)).toBe(30);
    expect(new Set(fixture.receivedEvents.map((one) => one.id)).size).toBe(30);
    expect(fixture.receivedEvents).toHaveLength(30);
  });

  test("leased by a killed process are retried after their lease", async () => {
    await fixture.payments.cancelIntent((await openIntent(fixture)).id);
    await fixture.pool.query(
      "UPDATE sandbox.event SET attempts = 1, next_attempt_at = now() - interval '1 second'",
    );
    expect(await fixture.deliver()).toEqual({ delivered: 1, failed: 0 });
  });
});

test("an event is delivered after the delay", async () => {
  fixture = await openFixture({ deliverAtOnce: true });
  const intent = await openIntent(fixture);
  await payByPage(fixture, intent);
  await expect
    .poll(() => fixture.receivedEvents.map((one) => one.type))
    .toEqual(["payment_intent.succeeded"]);
  expect(fixture.receivedEvents[0]?.object).toMatchObject({
    id: intent.id,
    amount_received: 12_500,
    metadata: { purchaseId: "purchase-1" },
  });
});
