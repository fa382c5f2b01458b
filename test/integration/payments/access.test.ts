import rateLimit from "@fastify/rate-limit";
import { sandbox } from "@stator/stripe-sandbox/plugin";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, openIntent, PUBLISHABLE_KEY, SECRET_KEY } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("a page with a client secret", () => {
  test.each([
    ["no key", {}],
    ["the publishable key", bearer(PUBLISHABLE_KEY)],
  ])("and %s sees its payment without the store's own data", async (_kind, headers) => {
    const intent = await openIntent(fixture);
    const reply = await fixture.get(
      `/payment_intents/${intent.id}?client_secret=${intent.clientSecret}`,
      headers,
    );
    expect(reply).toMatchObject({
      status: 200,
      body: { id: intent.id, status: "requires_payment_method", amount: 12_500, livemode: false },
    });
    expect(reply.body).not.toHaveProperty("metadata");
    expect(reply.body).not.toHaveProperty("latest_charge");
  });

  test("may send the publishable key in the form and the card with the confirm", async () => {
    const intent = await openIntent(fixture);
    const card = Object.entries(cardForm()).map(([name, value]) => {
      const [head, ...rest] = name.split("[");
      return [`payment_method_data[${head}]${rest.map((part) => `[${part}`).join("")}`, value];
    });
    const paid = await fixture.post(`/payment_intents/${intent.id}/confirm`, {
      ...Object.fromEntries(card),
      client_secret: intent.clientSecret,
      key: PUBLISHABLE_KEY,
    });
    expect(paid).toMatchObject({ status: 200, body: { status: "succeeded" } });
  });

  test("cannot touch another payment", async () => {
    const [mine, other] = [await openIntent(fixture), await openIntent(fixture)];
    const wrong = await fixture.post(`/payment_intents/${other.id}/confirm`, {
      client_secret: mine.clientSecret,
      payment_method: "pm_card_visa",
    });
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: "client_secret" } } });
    expect(
      (await fixture.get(`/payment_intents/${other.id}?client_secret=${mine.clientSecret}`)).status,
    ).toBe(400);
    expect((await fixture.get(`/payment_intents/${other.id}`)).status).toBe(401);
    expect((await fixture.get(`/payment_intents/${other.id}`, bearer(PUBLISHABLE_KEY))).status).toBe(400);
    expect(await fixture.payments.findIntent(other.id)).toMatchObject({ status: "requires_payment_method" });
  });
});

describe("the store's own calls", () => {
  const calls: [string, string, Record<string, string>][] = [
    ["POST", "/payment_intents", { amount: "5000", currency: "usd" }],
    ["GET", "/payment_intents", {}],
    ["POST", "/payment_intents/pi_x", { amount: "5000" }],
    ["POST", "/payment_intents/pi_x/cancel", {}],
    ["POST", "/refunds", { payment_intent: "pi_x" }],
    ["GET", "/refunds", {}],
    ["GET", "/refunds/re_x", {}],
  ];
  test.each(calls)("%s %s needs the secret key", async (method, path, form) => {
    const call = (headers: Record<string, string>) =>
      method === "GET" ? fixture.get(path, headers) : fixture.post(path, form, headers);
    for (const headers of [
      {},
      bearer(PUBLISHABLE_KEY),
      bearer("sk_test_something_else_altogether"),
      bearer("x"),
    ]) {
      expect(await call(headers)).toMatchObject({
        status: 401,
        body: { error: { type: "invalid_request_error" } },
      });
    }
    expect([200, 404]).toContain((await call(bearer(SECRET_KEY))).status);
    const basic = { authorization: `Basic ${Buffer.from(`${SECRET_KEY}:`).toString("base64")}` };
    expect([200, 404]).toContain((await call(basic)).status);
  });

  test("a wrong key is never shown in full", async () => {
    const wrong = await fixture.get("/refunds", bearer("sk_live_51Habcdefghijklmnop"));
    expect(wrong.body.error.message).toBe("Invalid API Key provided: sk_live_********mnop");
  });
});

test("a limit for visitors does not stop the store itself", async () => {
  const app = Fastify();
  await app.register(rateLimit, { max: 3, timeWindow: "1 minute" });
  await app.register(sandbox, {
    pool: fixture.pool,
    webhook: { url: () => "http://127.0.0.1:1", secret: "whsec_x" },
    deliver: async () => undefined,
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
  });
  const send = (headers: Record<string, string>) => app.inject({ url: "/payment_intents/pi_x", headers });
  const statuses = async (headers: Record<string, string>) => {
    const codes: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) codes.push((await send(headers)).statusCode);
    return codes;
  };
  expect(await statuses(bearer(SECRET_KEY))).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses(bearer(PUBLISHABLE_KEY))).toEqual([404, 404, 404, 429, 429]);
  const limited = (await send({})).json() as { error: object };
  expect(limited.error).toMatchObject({ type: "invalid_request_error", code: "rate_limit" });
  await app.close();
});
