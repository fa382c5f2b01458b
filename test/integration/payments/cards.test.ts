import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, openIntent, payByPage } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const nextYear = new Date().getUTCFullYear() + 1;

/** Pays with the official library like a server. */
async function payByLibrary(number: string, cvc = "123") {
  const intent = await openIntent(fixture);
  const method = await fixture.stripe.paymentMethods.create({
    type: "card",
    card: { number, exp_month: 12, exp_year: nextYear, cvc },
    billing_details: { name: "Ada Buyer", email: "buyer@example.com" },
  });
  const confirmed = fixture.stripe.paymentIntents.confirm(intent.id, { payment_method: method.id });
  return { intent, method, confirmed };
}

describe("a test card that works", () => {
  test.each([
    ["4242424242424242", "visa", "123"],
    ["4000056655665556", "visa", "123"],
    ["5555555555554444", "mastercard", "123"],
    ["378282246310005", "amex", "1234"],
    ["6011981111111113", "discover", "123"],
    ["36227206271667", "diners", "123"],
    ["6200000000000047", "unionpay", "123"],
    ["6205500000000000004", "unionpay", "123"],
  ])("%s pays the whole amount", async (number, brand, cvc) => {
    const { intent, method, confirmed } = await payByLibrary(number, cvc);
    const paid = await confirmed;
    expect(method.card).toMatchObject({ brand, last4: number.slice(-4), exp_month: 12, exp_year: nextYear });
    expect(paid).toMatchObject({ status: "succeeded", amount_received: 12_500, payment_method: method.id });
    expect(paid.latest_charge).toMatch(/^ch_/);
    expect(paid.metadata).toMatchObject({ purchaseId: "purchase-1", email: "buyer@example.com" });
    expect(await fixture.payments.findIntent(intent.id)).toMatchObject({
      status: "succeeded",
      amountCents: 12_500,
      amountReceivedCents: 12_500,
      currency: "usd",
      purchaseId: "purchase-1",
    });
  });

  test("has a charge that can be read through its intent", async () => {
    const { intent, confirmed } = await payByLibrary("4242424242424242");
    await confirmed;
    const whole = await fixture.stripe.paymentIntents.retrieve(intent.id, {
      expand: ["latest_charge", "payment_method"],
    });
    expect(whole.latest_charge).toMatchObject({
      object: "charge",
      amount: 12_500,
      amount_captured: 12_500,
      amount_refunded: 0,
      paid: true,
      status: "succeeded",
      billing_details: { name: "Ada Buyer", email: "buyer@example.com" },
      payment_method_details: { type: "card", card: { brand: "visa", last4: "4242" } },
    });
    expect(whole.payment_method).toMatchObject({ object: "payment_method", card: { last4: "4242" } });
  });
});

test("a test token pays at once when the intent is created and confirmed in one call", async () => {
  const make = (payment_method: string) =>
    fixture.stripe.paymentIntents.create({ amount: 500, currency: "usd", payment_method, confirm: true });
  expect(await make("pm_card_visa")).toMatchObject({ status: "succeeded", amount_received: 500 });
  await expect(make("pm_card_visa_chargeDeclined")).rejects.toMatchObject({ code: "card_declined" });
});

describe("a declined card", () => {
  test.each([
    ["4000000000000002", "card_declined", "generic_decline", "Your card was declined."],
    ["4000000000009995", "card_declined", "insufficient_funds", "Your card has insufficient funds."],
    ["4000000000009987", "card_declined", "lost_card", "Your card was declined."],
    ["4000000000009979", "card_declined", "stolen_card", "Your card was declined."],
    [
      "4000000000006975",
      "card_declined",
      "card_velocity_exceeded",
      "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.",
    ],
    ["4000000000000069", "expired_card", "", "Your card has expired."],
    ["4000000000000127", "incorrect_cvc", "", "Your card's security code is incorrect."],
    [
      "4000000000000119",
      "processing_error",
      "",
      "An error occurred while processing your card. Try again in a little bit.",
    ],
  ])("%s is refused as %s %s", async (number, code, declineCode, message) => {
    const { intent, confirmed } = await payByLibrary(number);
    const error = await confirmed.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code, decline_code: declineCode, message });
    expect(error).toMatchObject({
      payment_intent: { id: intent.id, status: "requires_payment_method", payment_method: null },
      payment_method: { card: { last4: number.slice(-4) } },
    });
    const after = await fixture.stripe.paymentIntents.retrieve(intent.id);
    expect(after).toMatchObject({ status: "requires_payment_method", amount_received: 0 });
    expect(after.last_payment_error).toMatchObject({ type: "card_error", code, message });
  });

  test("leaves the payment open for another card", async () => {
    const intent = await openIntent(fixture);
    expect((await payByPage(fixture, intent, "4000000000000002")).status).toBe(402);
    expect(await payByPage(fixture, intent)).toMatchObject({
      status: 200,
      body: { status: "succeeded", last_payment_error: null },
    });
  });

  test("with the wrong code passes if no code was given", async () => {
    const intent = await openIntent(fixture);
    const form = cardForm("4000000000000127");
    delete form["card[cvc]"];
    const method = await fixture.post("/payment_methods", form);
    const paid = await fixture.post(`/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.clientSecret,
      payment_method: method.body.id,
    });
    expect(paid.body.status).toBe("succeeded");
  });
});

describe("invalid card details", () => {
  const lastYear = String(new Date().getUTCFullYear() - 1);
  test.each([
    ["4242424242424241", {}, "incorrect_number", "number", "Your card number is incorrect."],
    ["42", {}, "invalid_number", "number", "The card number is not a valid credit card number."],
    [
      "4242424242424242",
      { "card[exp_year]": lastYear },
      "invalid_expiry_year",
      "exp_year",
      "Your card's expiration year is invalid.",
    ],
    [
      "4242424242424242",
      { "card[exp_month]": "13" },
      "invalid_expiry_month",
      "exp_month",
      "Your card's expiration month is invalid.",
    ],
    [
      "4242424242424242",
      { "card[cvc]": "12" },
      "invalid_cvc",
      "cvc",
      "Your card's security code is invalid.",
    ],
  ])("%s %o are refused as %s", async (number, wrong, code, param, message) => {
    const response = await fixture.post("/payment_methods", cardForm(number, wrong));
    expect(response.status).toBe(402);
    expect(response.body.error).toMatchObject({ type: "card_error", code, param, message });
  });

  test("a card that could be real is refused in test mode", async () => {
    const response = await fixture.post("/payment_methods", cardForm("4111111111111111"));
    expect(response.status).toBe(402);
    expect(response.body.error).toMatchObject({ code: "card_declined", decline_code: "test_mode_live_card" });
    expect(response.body.error.message).toContain(
      "Your request was in test mode, but used a non test (live) card.",
    );
  });
});

test("no card number is ever stored", async () => {
  const numbers = ["4242424242424242", "4000000000000002", "4000000000003220", "4111111111111111"];
  for (const number of numbers) await payByPage(fixture, await openIntent(fixture), number);
  const { rows: tables } = await fixture.pool.query<{ name: string }>(
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema = 'sandbox'",
  );
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) {
    const { rows } = await fixture.pool.query<{ text: string }>(
      `SELECT row_to_json(t)::text AS text FROM ${name} t`,
    );
    for (const number of numbers) expect(rows.map((row) => row.text).join("\n")).not.toContain(number);
  }
});
