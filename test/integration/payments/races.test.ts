import { afterAll, beforeAll, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, openIntent } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function ready(number?: string) {
  const intent = await openIntent(fixture);
  const method = await fixture.post("/payment_methods", cardForm(number));
  const confirm = () =>
    fixture.post(`/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.clientSecret,
      payment_method: method.body.id,
    });
  return { intent, confirm };
}

async function chargesOf(intentId: string) {
  const { rows } = await fixture.pool.query<{ status: string; amount_cents: number }>(
    "SELECT status, amount_cents FROM sandbox.charge WHERE payment_intent_id = $1",
    [intentId],
  );
  return rows;
}

test("twenty concurrent confirms make one charge, and nineteen return it as paid", async () => {
  const { intent, confirm } = await ready();
  const replies = await Promise.all(Array.from({ length: 20 }, confirm));
  expect(replies.filter((one) => one.status === 200)).toHaveLength(1);
  const refused = replies.filter((one) => one.status === 400);
  expect(refused).toHaveLength(19);
  for (const one of refused) {
    expect(one.body.error).toMatchObject({
      code: "payment_intent_unexpected_state",
      payment_intent: { id: intent.id, status: "succeeded" },
    });
  }
  expect(await chargesOf(intent.id)).toEqual([{ status: "succeeded", amount_cents: 12_500 }]);
  const { rows } = await fixture.pool.query("SELECT type FROM sandbox.event WHERE snapshot->>'id' = $1", [
    intent.id,
  ]);
  expect(rows).toEqual([{ type: "payment_intent.succeeded" }]);
});

test("of a concurrent confirm and cancel one wins, and both return which", async () => {
  const winners = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const { intent, confirm } = await ready();
    const cancel = () => fixture.payments.cancelIntent(intent.id);
    const first = round % 2 ? confirm() : null;
    const cancelling = cancel();
    const [confirmed, cancelled] = await Promise.all([first ?? confirm(), cancelling]);
    const after = await fixture.payments.findIntent(intent.id);
    expect(cancelled).toMatchObject({ id: intent.id, status: after?.status });
    expect(confirmed).toMatchObject({ status: after?.status === "succeeded" ? 200 : 400 });
    expect(await chargesOf(intent.id)).toHaveLength(after?.status === "succeeded" ? 1 : 0);
    winners.add(after?.status ?? "none");
  }
  expect([...winners].every((status) => status === "succeeded" || status === "canceled")).toBe(true);
});

test("a change of the amount during the payment never charges any but the amount then", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { intent, confirm } = await ready();
    const change = fixture.stripe.paymentIntents
      .update(intent.id, { amount: 20_000 })
      .catch((error: unknown) => error);
    await Promise.all([confirm(), change]);
    const after = await fixture.payments.findIntent(intent.id);
    const [charge] = await chargesOf(intent.id);
    expect(charge?.amount_cents).toBe(after?.amountCents);
    expect(after?.amountReceivedCents).toBe(after?.amountCents);
  }
});
