/** Adds products, places orders and pays, through the calls of the store and of the sandbox. */

import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { vi } from "vitest";
import type { Input } from "../../api/contract.ts";
import type { Order, Product, Purchase } from "../../api/entities.ts";
import { syncRefunds } from "../../shop/refunds/sync.ts";
import { type Client, type Reply, replyOf } from "./client.ts";
import { shopOf } from "./shop.ts";
import type { TestStore } from "./store.ts";
import type { SignedIn } from "./users.ts";

/** Cards by outcome. */
export const cards = {
  good: "4242424242424242",
  declined: "4000000000000002",
  insufficientFunds: "4000000000009995",
  expired: "4000000000000069",
  wrongCvc: "4000000000000127",
  processingError: "4000000000000119",
  challenge: "4000002500003155",
  disputed: "4000000000000259",
  processing: "4000000000008880",
  processingDeclined: "4000000000008872",
  failingRefund: "4000000000005126",
} as const;

export type NewProduct = Input<"addProduct">["body"];

/** A product as in an admin's form: $12.50 each, at least 10, 1000 in stock. */
export const drill: NewProduct = {
  name: "Impact drill ID 13",
  price: 12.5,
  minimum_order: 10,
  quantity: 1000,
  description: "A drill for masonry, with a second handle and a depth stop.",
  picture: "/tools/drill-driver.svg",
};

/** $129.00 each, in tens from 20, cheaper from 100 and 500, 1240 in stock. */
export const impactWrench: NewProduct = {
  ...drill,
  name: "Impact wrench",
  price: 129,
  minimum_order: 20,
  order_multiple: 10,
  quantity: 1240,
  price_breaks: [
    { quantity: 100, price: 119 },
    { quantity: 500, price: 109 },
  ],
};

export async function addProduct(admin: SignedIn, fields: Partial<NewProduct> = {}): Promise<Product> {
  const { insertedId } = await admin.call("addProduct", { body: { ...drill, ...fields } });
  return admin.call("findProduct", { params: { id: insertedId } });
}

export const stockOf = async (anyone: Client, { _id }: { _id: string }): Promise<number> =>
  (await anyone.call("findProduct", { params: { id: _id } })).quantity;

/** Edits a product, as an admin whose form shows it as `product`. */
export async function editProduct(
  admin: SignedIn,
  product: Product,
  changes: Partial<NewProduct>,
): Promise<void> {
  const { _id, version = 1, ...form } = product;
  const body = { ...form, ...changes, version, seenQuantity: product.quantity };
  await admin.call("editProduct", { params: { id: _id }, body });
}

/** Places a purchase; the minimum order by default. */
export function placeFor(
  buyer: SignedIn,
  product: Product,
  purchaseQuantity = product.minimum_order,
): Promise<Purchase> {
  return buyer.call("placePurchase", {
    body: { address: "Unit 6, Canal Yard", productId: product._id, purchaseQuantity },
  });
}

/** Places an order; each line is a product and its quantity. */
export function placeOrderFor(
  buyer: SignedIn,
  lines: [Product, number][],
  more: Partial<Input<"placeOrder">["body"]> = {},
): Promise<Order> {
  return buyer.call("placeOrder", {
    body: {
      address: "Unit 6, Canal Yard",
      ...more,
      lines: lines.map(([product, quantity]) => ({ productId: product._id, quantity })),
    },
  });
}

/** Pays the purchases or the order that `form` names and confirms the payment under `id`; returns the transaction id. */
export async function payOrder(
  store: TestStore,
  buyer: SignedIn,
  id: string,
  form: Input<"createPaymentIntent">["body"],
  card?: string,
): Promise<string> {
  const { clientSecret } = await buyer.call("createPaymentIntent", { body: form });
  const payment = paymentOf(clientSecret);
  const confirmed = await confirmCard(store, buyer, payment, card);
  if (confirmed.body.status !== "succeeded") throw new Error(JSON.stringify(confirmed.body));
  await buyer.call("confirmPayment", { params: { id }, body: { transactionId: payment.id } });
  return payment.id;
}

export interface OpenPayment {
  id: string;
  clientSecret: string;
}

/** The payment that a client secret belongs to. */
export const paymentOf = (clientSecret: string): OpenPayment => ({
  id: clientSecret.split("_secret_")[0] ?? "",
  clientSecret,
});

/** Opens the card payment of a purchase. */
export async function openPaymentFor(buyer: SignedIn, { _id, total }: Purchase): Promise<OpenPayment> {
  const { clientSecret } = await buyer.call("createPaymentIntent", { body: { total, purchaseId: _id } });
  return paymentOf(clientSecret);
}

/** A page's request to the sandbox, without a key. */
export async function postSandbox(
  store: TestStore,
  path: string,
  form: Record<string, string>,
): Promise<Reply> {
  const response = await fetch(`${store.url}/sandbox/stripe/v1${path}`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return replyOf(response);
}

/** As the payment page does: creates the payment method, then confirms with the client secret. */
export async function confirmCard(
  store: TestStore,
  buyer: SignedIn,
  payment: OpenPayment,
  number: string = cards.good,
): Promise<Reply> {
  const method = await postSandbox(store, "/payment_methods", {
    type: "card",
    "card[number]": number,
    "card[exp_month]": "12",
    "card[exp_year]": String(new Date().getUTCFullYear() + 2),
    "card[cvc]": "123",
    "billing_details[name]": buyer.name,
    "billing_details[email]": buyer.email,
  });
  if (method.status !== 200) return method;
  return postSandbox(store, `/payment_intents/${payment.id}/confirm`, {
    client_secret: payment.clientSecret,
    payment_method: method.body.id,
  });
}

/** Pays a purchase with a valid card and reports it, as the payment page does; returns the transaction id. */
export async function payFor(
  store: TestStore,
  buyer: SignedIn,
  purchase: Purchase,
  card: string = cards.good,
): Promise<string> {
  const payment = await openPaymentFor(buyer, purchase);
  const confirmed = await confirmCard(store, buyer, payment, card);
  if (confirmed.body.status !== "succeeded") throw new Error(JSON.stringify(confirmed.body));
  const { transactionId } = await buyer.call("confirmPayment", {
    params: { id: purchase._id },
    body: { transactionId: payment.id, buyer: buyer.name },
  });
  return transactionId;
}

/** Ends the time in which the shipments so far could be undone, so that their emails are sent. */
export async function endUndoTime(store: TestStore): Promise<void> {
  await store.pool.query(
    "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'shipped-%'",
  );
}

/**
 * Refunds a whole purchase to a card whose bank rejects the refund, and syncs that; returns the purchase and the
 * refund.
 */
export async function failedRefund(
  store: TestStore,
  admin: SignedIn,
  buyer: SignedIn,
  reason: string,
): Promise<{ purchase: Purchase; refundId: string }> {
  const purchase = await placeFor(buyer, await addProduct(admin));
  const paymentId = await payFor(store, buyer, purchase, cards.failingRefund);
  const input = { params: { id: purchase._id }, body: { reason } };
  const { refundId } = await admin.call("refundPurchase", input);
  await failRefunds(store.pool, 0);
  await syncRefunds(shopOf(store), paymentId);
  return { purchase, refundId };
}

/** From now on all webhook events of the provider are lost. */
export async function dropWebhooks(store: TestStore): Promise<void> {
  await store.pool.query(`
    CREATE FUNCTION sandbox.drop_event() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.next_attempt_at := NULL; RETURN NEW; END $$;
    CREATE TRIGGER drop_event BEFORE INSERT ON sandbox.event FOR EACH ROW EXECUTE FUNCTION sandbox.drop_event()`);
}

/** Resolves when the events lost since `dropWebhooks` are delivered. */
export async function redeliverWebhooks(store: TestStore): Promise<void> {
  await store.pool.query(`
    DROP FUNCTION sandbox.drop_event CASCADE;
    UPDATE sandbox.event SET next_attempt_at = now() WHERE delivered_at IS NULL`);
  const undelivered = "SELECT FROM sandbox.event WHERE delivered_at IS NULL LIMIT 1";
  const isDelivered = async () => (await store.pool.query(undelivered)).rowCount === 0;
  await vi.waitUntil(isDelivered, { timeout: 20_000, interval: 50 });
}

/** Disables polling, so that it does not interfere with a test. */
export async function disablePolling(store: TestStore): Promise<void> {
  await store.pool.query(`
    CREATE FUNCTION shop.skip_polling() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER skip_polling BEFORE UPDATE OF checked_at ON shop.payment FOR EACH ROW EXECUTE FUNCTION shop.skip_polling()`);
}
