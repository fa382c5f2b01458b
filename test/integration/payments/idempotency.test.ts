import { afterAll, beforeAll, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, openIntent, SECRET_KEY } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const asServer = (key: string) => ({ authorization: `Bearer ${SECRET_KEY}`, "idempotency-key": key });
const form = { amount: "5000", currency: "usd", "metadata[purchaseId]": "p-1" };

test("the same key and parameters get the same response, marked as a replay", async () => {
  const first = await fixture.post("/payment_intents", form, asServer("same"));
  const second = await fixture.post(
    "/payment_intents",
    { "metadata[purchaseId]": "p-1", currency: "usd", amount: "5000" },
    asServer("same"),
  );
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.headers.get("original-request")).toBe(first.headers.get("request-id"));
  expect(second.body).toEqual(first.body);
});

test("other parameters with the same key are refused", async () => {
  await fixture.post("/payment_intents", form, asServer("other"));
  const refused = await fixture.post("/payment_intents", { ...form, amount: "6000" }, asServer("other"));
  expect(refused).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
});

test("twenty concurrent calls with one key create one intent", async () => {
  const many = await Promise.all(
    Array.from({ length: 20 }, () => fixture.post("/payment_intents", form, asServer("many"))),
  );
  expect(new Set(many.map((one) => one.body.id)).size).toBe(1);
  expect(many.filter((one) => one.headers.get("idempotent-replayed") === null)).toHaveLength(1);
});

test("a decline is replayed too, so that a repeated call charges the card once", async () => {
  const intent = await openIntent(fixture);
  const method = await fixture.post("/payment_methods", cardForm("4000000000009995"));
  const confirm = () =>
    fixture.post(
      `/payment_intents/${intent.id}/confirm`,
      { client_secret: intent.clientSecret, payment_method: method.body.id },
      { "idempotency-key": "decline" },
    );
  const [first, second] = [await confirm(), await confirm()];
  expect([first.status, second.status]).toEqual([402, 402]);
  expect(second.body).toEqual(first.body);
  const { rowCount } = await fixture.pool.query("SELECT FROM sandbox.charge WHERE payment_intent_id = $1", [
    intent.id,
  ]);
  expect(rowCount).toBe(1);
});

test("a call refused for its input keeps no key, so that it may be corrected", async () => {
  expect((await fixture.post("/payment_intents", { ...form, amount: "1" }, asServer("fixed"))).status).toBe(
    400,
  );
  expect((await fixture.post("/payment_intents", form, asServer("fixed"))).status).toBe(200);
});

test("a key is free again after 24 hours", async () => {
  const first = await fixture.post("/payment_intents", form, asServer("old"));
  await fixture.pool.query(
    "UPDATE sandbox.idempotency SET created_at = now() - interval '25 hours' WHERE key = 'old'",
  );
  const second = await fixture.post("/payment_intents", form, asServer("old"));
  expect(second.status).toBe(200);
  expect(second.body.id).not.toBe(first.body.id);
});

test("the store opens one payment per key, however often it calls", async () => {
  const send = () =>
    fixture.payments.createIntent({
      amountCents: 900,
      currency: "usd",
      purchaseId: "p-9",
      email: "a@b.c",
      idempotencyKey: "p-9",
    });
  const many = await Promise.all([send(), send(), send()]);
  expect(new Set(many.map((one) => one.clientSecret)).size).toBe(1);
});
