import { parseForm } from "@stator/stripe-sandbox/form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fixture, openFixture, openIntent, SECRET_KEY } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const asServer = { authorization: `Bearer ${SECRET_KEY}` };

function send(path: string, body: string, type = "application/x-www-form-urlencoded") {
  return fetch(`${fixture.base}/v1${path}`, {
    method: "POST",
    body,
    headers: { ...asServer, "content-type": type },
  });
}

describe("an amount", () => {
  test.each([
    ["49", "amount_too_small", "Amount must be at least $0.50 usd"],
    ["100000000", "amount_too_large", "Amount must be no more than $999,999.99 usd"],
    ["0", "parameter_invalid_integer", "This value must be greater than or equal to 1."],
    ["-5", "parameter_invalid_integer", "This value must be greater than or equal to 1."],
    ["12.5", "parameter_invalid_integer", "Invalid integer: 12.5"],
    ["1e4", "parameter_invalid_integer", "Invalid integer: 1e4"],
    ["", "parameter_invalid_integer", "Invalid integer: "],
  ])("of %s is refused as %s", async (amount, code, message) => {
    const refused = await fixture.post("/payment_intents", { amount, currency: "usd" }, asServer);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error", code, message, param: "amount" } },
    });
  });

  test.each(["50", "99999999"])("of %s is accepted", async (amount) => {
    expect(await fixture.post("/payment_intents", { amount, currency: "USD" }, asServer)).toMatchObject({
      status: 200,
      body: { amount: Number(amount), currency: "usd" },
    });
  });
});

describe("invalid parameters are 400 and named", () => {
  test.each([
    ["amount", "currency=usd", "parameter_missing"],
    ["currency", "amount=500", "parameter_missing"],
    ["currency", "amount=500&currency=eur", undefined],
    ["amount", "amount[a]=500&currency=usd", undefined],
    ["surprise", "amount=500&currency=usd&surprise=1", "parameter_unknown"],
    ["metadata[a]", "amount=500&currency=usd&metadata[a][b]=1", undefined],
    ["metadata[a]", `amount=500&currency=usd&metadata[a]=${"x".repeat(501)}`, undefined],
    [
      "payment_method_data[card]",
      "amount=500&currency=usd&payment_method_data[type]=card",
      "parameter_missing",
    ],
    ["confirm", "amount=500&currency=usd&confirm=maybe", undefined],
    ["expand", "amount=500&currency=usd&expand[]=customer", undefined],
  ])("%s", async (param, body, code) => {
    const response = await send("/payment_intents", body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: Record<string, string> };
    expect(error).toMatchObject({ type: "invalid_request_error", param });
    expect(error.code).toBe(code);
  });
});

describe("malicious bodies are 400 and change nothing", () => {
  test.each([
    ["a prototype", "__proto__[polluted]=1&amount=500&currency=usd"],
    ["a prototype inside", "metadata[__proto__][polluted]=1&amount=500&currency=usd"],
    ["a constructor", "metadata[constructor][prototype][polluted]=1&amount=500&currency=usd"],
    ["a NUL", "metadata[a]=%00&amount=500&currency=usd"],
    ["a depth of 500", `a${"[b]".repeat(500)}=1`],
    ["2,000 members", Array.from({ length: 2_000 }, (_, index) => `metadata[k${index}]=1`).join("&")],
    ["a value that is also an object", "metadata[a]=1&metadata[a][b]=2&amount=500&currency=usd"],
    ["brackets the wrong way", "metadata]a[=1&amount=500&currency=usd"],
    ["70 kB", "amount=500&currency=usd&metadata[x]=".padEnd(70_000, "y")],
  ])("%s", async (_harm, body) => {
    const response = await send("/payment_intents", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("JSON is refused in Stripe's shape", async () => {
    const response = await send("/payment_intents", '{"amount":500}', "application/json");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  });

  test("a call without a body names what is missing", async () => {
    const response = await fetch(`${fixture.base}/v1/payment_intents`, { method: "POST", headers: asServer });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "parameter_missing", param: "amount" } });
  });
});

describe("missing objects are 404", () => {
  test.each([
    ["GET", "/payment_intents/pi_nothing", "payment_intent"],
    ["GET", "/payment_intents/%00", "payment_intent"],
    ["GET", "/payment_intents/..%2Frefunds", "payment_intent"],
    ["POST", "/payment_intents/pi_nothing", "payment_intent"],
    ["POST", "/payment_intents/pi_nothing/confirm", "payment_intent"],
    ["POST", "/payment_intents/pi_nothing/cancel", "payment_intent"],
    ["GET", "/refunds/re_nothing", "refund"],
    ["GET", "/refunds?payment_intent=pi_nothing", "payment_intent"],
    ["GET", "/payment_intents?starting_after=pi_nothing", "payment_intent"],
  ])("%s %s", async (method, path, kind) => {
    const response =
      method === "GET" ? await fixture.get(path, asServer) : await fixture.post(path, {}, asServer);
    expect(response).toMatchObject({ status: 404, body: { error: { code: "resource_missing" } } });
    expect(response.body.error.message).toContain(`No such ${kind}`);
  });

  test("also an unknown payment method and path", async () => {
    const intent = await openIntent(fixture);
    const confirm = fixture.post(
      `/payment_intents/${intent.id}/confirm`,
      { payment_method: "pm_nothing" },
      asServer,
    );
    expect(await confirm).toMatchObject({ status: 404, body: { error: { param: "payment_method" } } });
    expect(await fixture.get("/customers", asServer)).toMatchObject({
      status: 404,
      body: {
        error: {
          type: "invalid_request_error",
          message: "Unrecognized request URL (GET: /sandbox/stripe/v1/customers).",
        },
      },
    });
  });
});

test("nested form names become nested objects without a prototype", () => {
  const read = parseForm("a[b][c]=1&a[b][d]=2&e[]=x&e[]=y&f=%E2%82%AC+1");
  expect(read).toEqual({ form: { a: { b: { c: "1", d: "2" } }, e: { 0: "x", 1: "y" }, f: "€ 1" } });
  expect(Object.getPrototypeOf("form" in read ? read.form : {})).toBeNull();
});
