import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fixture, openFixture, openIntent, payByPage } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function challenged(number: string) {
  const intent = await openIntent(fixture);
  const waiting = await payByPage(fixture, intent, number);
  expect(waiting).toMatchObject({ status: 200, body: { status: "requires_action" } });
  expect(waiting.body.next_action).toMatchObject({
    type: "use_stripe_sdk",
    use_stripe_sdk: { type: "stripe_3ds2_fingerprint", three_d_secure_2_source: intent.id },
  });
  expect(await fixture.payments.findIntent(intent.id)).toMatchObject({ amountReceivedCents: 0 });
  return intent;
}

function completeChallenge(intent: { id: string; clientSecret: string }, outcome: string) {
  return fixture.post("/3ds2/authenticate", {
    source: intent.id,
    client_secret: intent.clientSecret,
    outcome,
  });
}

test.each(["4000002500003155", "4000000000003220"])(
  "%s pays after the buyer has passed the challenge",
  async (number) => {
    const intent = await challenged(number);
    expect(await completeChallenge(intent, "succeed")).toMatchObject({
      status: 200,
      body: { status: "succeeded", next_action: null },
    });
    expect(await fixture.payments.findIntent(intent.id)).toMatchObject({
      status: "succeeded",
      amountReceivedCents: 12_500,
    });
  },
);

test("a failed challenge charges nothing and lets the buyer use another card", async () => {
  const intent = await challenged("4000000000003220");
  const refused = await completeChallenge(intent, "fail");
  expect(refused).toMatchObject({
    status: 200,
    body: { status: "requires_payment_method", payment_method: null },
  });
  expect(refused.body.last_payment_error).toMatchObject({
    code: "payment_intent_authentication_failure",
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
  });
  expect((await payByPage(fixture, intent)).body.status).toBe("succeeded");
});

test("4000008400001629 is declined by the bank although the challenge was passed", async () => {
  const intent = await challenged("4000008400001629");
  const declined = await completeChallenge(intent, "succeed");
  expect(declined).toMatchObject({ status: 200, body: { status: "requires_payment_method" } });
  expect(declined.body.last_payment_error).toMatchObject({
    code: "card_declined",
    message: "Your card was declined.",
  });
});

test("a challenge can be completed once, and only while it is pending", async () => {
  const intent = await challenged("4000000000003220");
  const both = await Promise.all([
    completeChallenge(intent, "succeed"),
    completeChallenge(intent, "fail"),
    completeChallenge(intent, "succeed"),
  ]);
  expect(both.map((one) => one.status).sort()).toEqual([200, 400, 400]);
  const late = await completeChallenge(intent, "succeed");
  expect(late).toMatchObject({ status: 400, body: { error: { code: "payment_intent_unexpected_state" } } });
});

test("a challenge needs the client secret of its payment", async () => {
  const intent = await challenged("4000000000003220");
  expect((await completeChallenge({ ...intent, clientSecret: "pi_x_secret_y" }, "succeed")).status).toBe(400);
  expect((await fixture.post("/3ds2/authenticate", { source: intent.id, outcome: "succeed" })).status).toBe(
    401,
  );
  expect(await fixture.payments.findIntent(intent.id)).toMatchObject({ status: "requires_action" });
});

test("a challenged payment can still be paid with another card, and the old challenge is then void", async () => {
  const intent = await challenged("4000000000003220");
  expect((await payByPage(fixture, intent, "4000000000000002")).status).toBe(402);
  expect((await completeChallenge(intent, "succeed")).status).toBe(400);
  expect((await payByPage(fixture, intent)).body.status).toBe("succeeded");
});
