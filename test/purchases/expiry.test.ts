/** An unpaid purchase holds its stock for a week; then the stock goes back, once, with a mail. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expireUnpaidPurchases } from "../../shop/purchases/expire.ts";
import type { Store } from "../../shop/store.ts";
import { expectBooksToAgree } from "../harness/books.ts";
import { adminOf, register, type SignedIn } from "../harness/people.ts";
import { shopOf } from "../harness/shop.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { confirmCard, loseWebhooks, offer, openPaymentFor, payFor, placeFor } from "../harness/trade.ts";

let store: TestStore;
let shop: Store;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  // the store's own round must not come between
  store = await openStore({ environment: { UNPAID_HOLD_HOURS: "87600" } });
  shop = shopOf(store);
  await loseWebhooks(store);
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(async () => {
  await expectBooksToAgree(store.pool);
  await store.stop();
});

const age = ({ _id }: { _id: string }, hours: number) =>
  store.pool.query("UPDATE shop.purchase SET placed_at = now() - make_interval(hours => $2) WHERE id = $1", [
    _id,
    hours,
  ]);
const mine = async () => {
  const all = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
  return all.map((purchase) => purchase._id);
};

test("a purchase of 168 hours and a minute is withdrawn, its stock is back, and its buyer is told", async () => {
  const product = await offer(admin);
  const purchase = await placeFor(buyer, product);
  await age(purchase, 169);
  expect(await expireUnpaidPurchases(shop)).toBe(1);
  expect(await mine()).not.toContain(purchase._id);
  expect(await buyer.call("findProduct", { params: { id: product._id } })).toMatchObject({ quantity: 1000 });
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  await expect
    .poll(async () => (await store.outbox()).filter((mail) => /expired/i.test(mail.subject)).length, {
      timeout: 10_000,
    })
    .toBe(1);
});

test("a younger one, a paid one and a cancelled one stay as they are", async () => {
  const product = await offer(admin);
  const [young, paid, gone] = [
    await placeFor(buyer, product),
    await placeFor(buyer, product),
    await placeFor(buyer, product),
  ];
  await payFor(store, buyer, paid);
  await buyer.call("cancelPurchase", { params: { id: gone._id } });
  await age(young, 167);
  await age(paid, 1000);
  await age(gone, 1000);
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  expect(await mine()).toEqual(expect.arrayContaining([young._id, paid._id]));
});

test("one that was paid while nobody looked becomes paid instead of expired", async () => {
  const purchase = await placeFor(buyer, await offer(admin));
  const payment = await openPaymentFor(buyer, purchase);
  await confirmCard(store, buyer, payment);
  await age(purchase, 169);
  expect(await expireUnpaidPurchases(shop)).toBe(0);
  const found = await buyer.call("findPayment", { params: { id: purchase._id } });
  expect(found).toMatchObject({ status: "paid", transactionId: payment.id });
});

test("several processes that look at once withdraw each purchase once", async () => {
  const product = await offer(admin);
  const purchases = await Promise.all(Array.from({ length: 5 }, () => placeFor(buyer, product)));
  await Promise.all(purchases.map((purchase) => age(purchase, 200)));
  const counts = await Promise.all(Array.from({ length: 4 }, () => expireUnpaidPurchases(shop)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
});

test("with UNPAID_HOLD_HOURS=0 nothing ever expires", async () => {
  const purchase = await placeFor(buyer, await offer(admin));
  await age(purchase, 10_000);
  expect(await expireUnpaidPurchases({ ...shop, unpaidHoldHours: 0 })).toBe(0);
  expect(await mine()).toContain(purchase._id);
});
