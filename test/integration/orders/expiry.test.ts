/** An unpaid purchase holds its stock for a week; then the stock is returned, once, with an email. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expireUnpaidPurchases } from "../../../shop/orders/expire.ts";
import { sendExpiryReminders } from "../../../shop/orders/remind.ts";
import type { Intent } from "../../../shop/payments/provider.ts";
import type { Store } from "../../../shop/store.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import {
  addProduct,
  confirmCard,
  disablePolling,
  dropWebhooks,
  openPaymentFor,
  payFor,
  placeFor,
} from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let shop: Store;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  // without the store's own periodic task
  store = await openStore({ environment: { UNPAID_HOLD_HOURS: "87600" } });
  shop = shopOf(store);
  await dropWebhooks(store);
  await disablePolling(store);
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(async () => {
  await expectConsistentStore(store.pool);
  await store.stop();
});

const backdate = ({ _id }: { _id: string }, hours: number) =>
  store.pool.query("UPDATE shop.purchase SET placed_at = now() - make_interval(hours => $2) WHERE id = $1", [
    _id,
    hours,
  ]);
const listed = async () => {
  const all = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
  return all.map((purchase) => purchase._id);
};

test("a purchase of 168 hours and a minute expires, its stock is returned, and its buyer gets an email", async () => {
  const product = await addProduct(admin);
  const purchase = await placeFor(buyer, product);
  await backdate(purchase, 169);
  // no reminder at this late moment
  expect(await sendExpiryReminders(shop)).toBe(0);
  expect(await expireUnpaidPurchases(shop)).toBe(1);
  expect(await listed()).not.toContain(purchase._id);
  expect(await buyer.call("findProduct", { params: { id: product._id } })).toMatchObject({ quantity: 1000 });
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  await expect
    .poll(async () => (await store.outbox()).filter((mail) => /expired/i.test(mail.subject)).length, {
      timeout: 10_000,
    })
    .toBe(1);
});

test("more recent, paid and cancelled ones are unchanged", async () => {
  const product = await addProduct(admin);
  const [recent, paid, cancelled] = [
    await placeFor(buyer, product),
    await placeFor(buyer, product),
    await placeFor(buyer, product),
  ];
  await payFor(store, buyer, paid);
  await buyer.call("cancelPurchase", { params: { id: cancelled._id } });
  await backdate(recent, 167);
  await backdate(paid, 1000);
  await backdate(cancelled, 1000);
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  expect(await listed()).toEqual(expect.arrayContaining([recent._id, paid._id]));
});

test("one whose payment is not recorded yet becomes paid instead of expired", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  const payment = await openPaymentFor(buyer, purchase);
  await confirmCard(store, buyer, payment);
  await backdate(purchase, 169);
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  const found = await buyer.call("findPayment", { params: { id: purchase._id } });
  expect(found).toMatchObject({ status: "paid", transactionId: payment.id });
});

test("several concurrent processes expire each purchase once", async () => {
  const product = await addProduct(admin);
  const purchases = await Promise.all(Array.from({ length: 5 }, () => placeFor(buyer, product)));
  await Promise.all(purchases.map((purchase) => backdate(purchase, 200)));
  const counts = await Promise.all(Array.from({ length: 4 }, () => expireUnpaidPurchases(shop)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
});

test("a hundred payments that a bank is processing do not delay later expiries", async () => {
  const product = await addProduct(admin, { quantity: 5000 });
  const place = () => placeFor(buyer, product);
  const blocked: string[] = [];
  while (blocked.length < 100) {
    const placed = await Promise.all(Array.from({ length: 10 }, place));
    blocked.push(...placed.map(({ _id }) => _id));
  }
  await store.pool.query(
    `WITH opened AS (
       INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents)
       SELECT 'pi_blocked_' || id, user_id, id, total_cents FROM shop.purchase
       WHERE id = ANY ($1) RETURNING id, purchase_id, amount_cents
     )
     INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents) SELECT * FROM opened`,
    [blocked],
  );
  const [opened, unopened] = [await place(), await place()];
  await openPaymentFor(buyer, opened);
  await store.pool.query(
    "UPDATE shop.purchase SET placed_at = now() - interval '169 hours' WHERE product_id = $1",
    [product._id],
  );
  const payments: Store["payments"] = {
    ...shop.payments,
    cancelIntent: async (id) =>
      id.startsWith("pi_blocked") ? ({ id, status: "processing" } as Intent) : shop.payments.cancelIntent(id),
  };
  expect(await expireUnpaidPurchases({ ...shop, payments })).toBe(2);
  const left = await listed();
  expect([opened, unopened].filter(({ _id }) => left.includes(_id))).toEqual([]);
  // they are no longer paid
  await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE purchase_id = ANY ($1)", [
    blocked,
  ]);
  expect(await expireUnpaidPurchases(shop)).toBe(100);
});

test("a thousand cancelled orders do not delay later expiries", async () => {
  const product = await addProduct(admin);
  const cancelled = await placeFor(buyer, product);
  await buyer.call("cancelPurchase", { params: { id: cancelled._id } });
  await store.pool.query(
    `WITH placed AS (
       INSERT INTO shop.order (user_id) SELECT user_id FROM shop.purchase, generate_series(1, 1000)
       WHERE id = $1 RETURNING id
     ), line AS (
       INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name,
         picture, quantity, price_cents, placed_at, cancelled_at, cancelled_because)
       SELECT placed.id, 1, user_id, product_id, name, email, address, product_name, picture, quantity, price_cents,
         now() - interval '169 hours', now(), 'buyer'
       FROM placed, shop.purchase WHERE purchase.id = $1 RETURNING id, product_id, quantity
     )
     INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
     SELECT product_id, -quantity, 'sold', id FROM line
     UNION ALL SELECT product_id, quantity, 'cancelled', id FROM line`,
    [cancelled._id],
  );
  await backdate(await placeFor(buyer, product), 169);
  expect(await expireUnpaidPurchases(shop)).toBe(1);
});

test("a slow payment provider does not delay those without a payment", async () => {
  const product = await addProduct(admin);
  const [opened, unopened] = [await placeFor(buyer, product), await placeFor(buyer, product)];
  await openPaymentFor(buyer, opened);
  await backdate(opened, 169);
  await backdate(unopened, 169);
  const { promise: silence, resolve: respond } = Promise.withResolvers<void>();
  const payments: Store["payments"] = {
    ...shop.payments,
    cancelIntent: (id) => silence.then(() => shop.payments.cancelIntent(id)),
  };
  const round = expireUnpaidPurchases({ ...shop, payments });
  await expect.poll(listed).not.toContain(unopened._id);
  expect(await listed()).toContain(opened._id);
  respond();
  expect(await round).toBe(2);
});

test("with UNPAID_HOLD_HOURS=0 nothing ever expires", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  await backdate(purchase, 10_000);
  expect(await expireUnpaidPurchases({ ...shop, unpaidHoldHours: 0 })).toBe(0);
  expect(await listed()).toContain(purchase._id);
});
