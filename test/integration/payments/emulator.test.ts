/**
 * The store against a third-party Stripe emulator (npm emulate): the same adapter, with its paths, lists, errors and
 * webhook signatures. It has no refunds and no disputes, and its payments lack two members that Stripe's always have,
 * which are added here.
 */
import { createEmulator, type Emulator } from "emulate";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectStripe } from "../../../providers/payment/stripe.ts";
import { cancelPurchase } from "../../../shop/orders/cancel.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { findPurchaseRow } from "../../../shop/orders/queries.ts";
import { confirmPayment } from "../../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import type { PaymentProvider } from "../../../shop/payments/provider.ts";
import { handlePaymentEvent } from "../../../shop/payments/webhook.ts";
import { addProduct } from "../../../shop/products/add.ts";
import { reconcile } from "../../../shop/reconciliation/check.ts";
import type { Store, User } from "../../../shop/store.ts";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";
import { freePort } from "../../harness/free-port.ts";
import { newUser } from "../../model/real.ts";

const WEBHOOK_SECRET = "whsec_of_the_emulator";

let database: FreshDatabase;
let emulator: Emulator;
let front: FastifyInstance;
let payments: PaymentProvider;
let store: Store;
let buyer: User;
let productId: string;
/** how many signed events were accepted */
let received = 0;
beforeAll(async () => {
  database = await freshDatabase();
  front = Fastify();
  const port = await freePort();
  let base = "";
  payments = connectStripe({ secretKey: "sk_test_0", webhookSecret: WEBHOOK_SECRET, apiBase: () => base });
  store = { pool: database.pool, payments, unpaidHoldHours: 168 };
  front.removeAllContentTypeParsers();
  front.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  front.post("/webhook", async (request, reply) => {
    const event = payments.readWebhook(request.body as Buffer, String(request.headers["stripe-signature"]));
    if (!event) return reply.code(400).send();
    await handlePaymentEvent(store, event);
    received += 1;
    return { received: true };
  });
  for (const url of ["/v1/refunds", "/v1/disputes"])
    front.get(`/stripe${url}`, () => ({ object: "list", data: [], has_more: false, url }));
  front.all("/stripe/*", async (request, reply) => {
    const response = await fetch(`${emulator.url}${request.url.replace("/stripe", "")}`, {
      method: request.method,
      headers: {
        authorization: String(request.headers.authorization),
        "content-type": "application/x-www-form-urlencoded",
      },
      ...(request.method === "POST" && { body: String(request.body ?? "") }),
    });
    return reply.code(response.status).send(complete(await response.json()));
  });
  const origin = await front.listen({ port: 0, host: "127.0.0.1" });
  base = `${origin}/stripe`;
  const webhooks = [{ url: `${origin}/webhook`, events: ["*"], secret: WEBHOOK_SECRET }];
  emulator = await createEmulator({ service: "stripe", port, seed: { stripe: { webhooks } } });
  buyer = await newUser(store, "user");
  const form = {
    name: "Drill",
    picture: "/tools/x.svg",
    description: "A drill.",
    price: 10,
    minimum_order: 1,
  };
  productId = ((await addProduct(store, { ...form, quantity: 100 })) as { insertedId: string }).insertedId;
});
afterAll(async () => {
  await emulator.close();
  await front.close();
  await database.drop();
});

/** What a payment of Stripe's always has. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
function complete(object: any): unknown {
  if (object.object === "list") return { ...object, data: object.data.map(complete) };
  if (object.object !== "payment_intent") return object;
  const received = object.status === "succeeded" ? object.amount : 0;
  return { client_secret: `${object.id}_secret_x`, amount_received: received, ...object };
}

async function openOrder() {
  const order = { address: "Unit 6", phone: "", productId, purchaseQuantity: 5 };
  const { _id: id } = (await placePurchase(store, buyer, order)) as { _id: string };
  const opened = (await createPaymentIntent(store, buyer, { total: 50, purchaseId: id })) as {
    clientSecret: string;
  };
  return { id, intent: opened.clientSecret.split("_secret_")[0] ?? "" };
}

/** The buyer's card, as a page would confirm it. */
async function confirm(intent: string): Promise<void> {
  const response = await fetch(`${emulator.url}/v1/payment_intents/${intent}/confirm`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_0", "content-type": "application/x-www-form-urlencoded" },
    body: "payment_method=pm_card_visa",
  });
  expect(response.status).toBe(200);
}

const stateOf = async (id: string) => (await findPurchaseRow(store, id))?.status;

test("a payment is opened once, paid, and reported by a third party's signed webhook", async () => {
  const { id, intent } = await openOrder();
  const again = await createPaymentIntent(store, buyer, { total: 50, purchaseId: id });
  expect(again).toEqual({ clientSecret: `${intent}_secret_x` });
  expect(await payments.findIntent(intent)).toMatchObject({
    amountCents: 5000,
    currency: "usd",
    purchaseId: id,
  });
  await confirm(intent);
  await expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe("paid");
  await expect.poll(() => received, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await confirmPayment(store, buyer, id, intent)).toEqual({ modifiedCount: 0, transactionId: intent });
});

test("a cancellation after the payment finds the order paid; one before it closes the payment", async () => {
  const late = await openOrder();
  await confirm(late.intent);
  expect(await cancelPurchase(store, buyer, late.id)).toMatchObject({ refused: "conflict" });
  await expect.poll(() => stateOf(late.id)).toBe("paid");
  const early = await openOrder();
  expect(await cancelPurchase(store, buyer, early.id)).toEqual({ deletedCount: 1 });
  expect(await payments.findIntent(early.intent)).toMatchObject({ status: "canceled" });
});

test("a payment without webhook is found by polling", async () => {
  const { id, intent } = await openOrder();
  await database.pool.query("UPDATE shop.payment SET checked_at = now() - interval '1 minute'");
  await pollOpenPayments(store);
  expect(await stateOf(id)).toBe("unpaid");
  await confirm(intent);
  await database.pool.query("UPDATE shop.payment SET checked_at = now() - interval '1 minute'");
  // if the event arrives first, polling leaves it to that
  await pollOpenPayments(store);
  await expect.poll(() => stateOf(id)).toBe("paid");
});

test("an unknown payment is null, a forged signature is refused", async () => {
  expect(await payments.findIntent("pi_nobody")).toBeNull();
  const forged = await fetch(`${front.listeningOrigin}/webhook`, {
    method: "POST",
    headers: { "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
    body: "{}",
  });
  expect(forged.status).toBe(400);
});

test("the records agree with the emulator's list of payments", async () => {
  const { faults } = await reconcile(store, { days: 1, recheckAfterMs: 0 });
  expect(faults).toEqual([]);
});
