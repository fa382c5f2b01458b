/** Concurrent requests on a real database over HTTP: nothing is sold, refunded, paid or shipped twice. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { MAX_CONNECTIONS } from "../../../server/pool-sizes.ts";
import { upsertUser } from "../../../shop/accounts/upsert-user.ts";
import type { Store } from "../../../shop/store.ts";
import type { Reply } from "../../harness/client.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import {
  addProduct,
  confirmCard,
  type OpenPayment,
  openPaymentFor,
  payFor,
  placeFor,
  stockOf,
} from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyers: SignedIn[];
beforeAll(async () => {
  store = await openStore({ connections: MAX_CONNECTIONS });
  admin = await adminOf(store);
  buyers = await Promise.all(Array.from({ length: 8 }, (_, index) => register(store, `Buyer ${index}`)));
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

const buyer = () => buyers[0] as SignedIn;
const statusOf = async ({ _id }: Purchase) => {
  const all = await admin.call("listPurchases", { query: { limit: 1000 } });
  return all.find((one) => one._id === _id)?.status ?? "gone";
};
const statuses = (replies: Reply[]) => replies.map((reply) => reply.status).sort();
const cancel = (user: SignedIn, { _id }: Purchase) => user.send("cancelPurchase", { params: { id: _id } });
const confirm = (user: SignedIn, { _id }: Purchase, { id }: OpenPayment) =>
  user.send("confirmPayment", { params: { id: _id }, body: { transactionId: id } });

/** `times` in a row, to find rare races. */
async function repeat(times: number, round: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) await round();
}

describe("the last lots", () => {
  test("400 concurrent purchases of the last 100 lots sell exactly 100", async () => {
    const product = await addProduct(admin, { quantity: 1000, minimum_order: 10 });
    const body = { productId: product._id, purchaseQuantity: 10, address: "Unit 6" };
    const tries = Array.from({ length: 400 }, (_, index) =>
      (buyers[index % buyers.length] as SignedIn).send("placePurchase", { body }),
    );
    const replies = await Promise.all(tries);
    const sold = replies.filter((reply) => reply.status === 200);
    const refused = replies.filter((reply) => reply.status !== 200);
    expect([sold.length, refused.length]).toEqual([100, 300]);
    expect(new Set(sold.map((reply) => reply.body._id)).size).toBe(100);
    for (const { status, body } of refused) {
      expect({ status, detail: body.detail }).toEqual({
        status: 422,
        detail: "Purchase qauntity is maximum 0",
      });
    }
    expect(await stockOf(admin, product)).toBe(0);
    const { rows } = await store.pool.query(
      "SELECT count(*), sum(pieces) FROM shop.stock_movement WHERE product_id = $1 AND reason = 'sold'",
      [product._id],
    );
    expect(rows).toEqual([{ count: 100, sum: -1000 }]);
  });

  test("of different sizes never make the stock negative, and what remains is too little for the refused ones", async () => {
    const product = await addProduct(admin, { quantity: 500, minimum_order: 1 });
    const tries = Array.from({ length: 100 }, (_, index) => {
      const body = { productId: product._id, purchaseQuantity: 1 + (index % 23), address: "Unit 6" };
      return (buyers[index % buyers.length] as SignedIn).send("placePurchase", { body });
    });
    const replies = await Promise.all(tries);
    const sold = replies.reduce(
      (sum, { status, body }) => sum + (status === 200 ? body.purchaseQuantity : 0),
      0,
    );
    expect(await stockOf(admin, product)).toBe(500 - sold);
    expect(statuses(replies).filter((status) => status !== 200 && status !== 422)).toEqual([]);
  });

  test("are sold again after a cancellation, while others buy", async () => {
    const product = await addProduct(admin, { quantity: 50, minimum_order: 10 });
    const held = await Promise.all(buyers.slice(0, 5).map((one) => placeFor(one, product)));
    const [cancels, places] = await Promise.all([
      Promise.all(held.map((purchase, index) => cancel(buyers[index] as SignedIn, purchase))),
      Promise.all(
        buyers.map((one) =>
          one.send("placePurchase", {
            body: { productId: product._id, purchaseQuantity: 10, address: "Unit 6" },
          }),
        ),
      ),
    ]);
    expect(statuses(cancels)).toEqual([200, 200, 200, 200, 200]);
    const sold = places.filter((reply) => reply.status === 200).length;
    expect(await stockOf(admin, product)).toBe(50 - sold * 10);
  });
});

describe("one purchase", () => {
  test("cancelled ten times concurrently returns its stock once", () =>
    repeat(5, async () => {
      const product = await addProduct(admin);
      const purchase = await placeFor(buyer(), product);
      const users = [buyer(), admin];
      const tries = Array.from({ length: 10 }, (_, index) => cancel(users[index % 2] as SignedIn, purchase));
      expect(statuses(await Promise.all(tries))).toEqual([200, ...Array(9).fill(404)]);
      expect(await stockOf(admin, product)).toBe(product.quantity);
    }));

  test("cancelled while it is paid is one or the other, and so is the money", () =>
    repeat(10, async () => {
      const product = await addProduct(admin);
      const purchase = await placeFor(buyer(), product);
      const payment = await openPaymentFor(buyer(), purchase);
      const [cancelled, paid] = await Promise.all([
        cancel(buyer(), purchase),
        confirmCard(store, buyer(), payment).then(() => confirm(buyer(), purchase, payment)),
      ]);
      const status = await statusOf(purchase);
      const { rows } = await store.pool.query("SELECT status FROM sandbox.payment_intent WHERE id = $1", [
        payment.id,
      ]);
      if (cancelled.status === 200) {
        expect([status, rows[0].status]).toEqual(["gone", "canceled"]);
        expect([404, 409, 422]).toContain(paid.status);
        expect(await stockOf(admin, product)).toBe(product.quantity);
      } else {
        expect(cancelled).toMatchObject({ status: 409 });
        expect([status, rows[0].status]).toEqual(["paid", "succeeded"]);
        expect(await stockOf(admin, product)).toBe(product.quantity - purchase.purchaseQuantity);
      }
    }));

  test("confirmed by page and webhook ten times concurrently is paid once, with one email", () =>
    repeat(3, async () => {
      const purchase = await placeFor(buyer(), await addProduct(admin));
      const payment = await openPaymentFor(buyer(), purchase);
      await confirmCard(store, buyer(), payment);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => confirm(buyer(), purchase, payment)),
      );
      expect(statuses(replies)).toEqual(Array(10).fill(200));
      const changed = replies.reduce((sum, reply) => sum + reply.body.modifiedCount, 0);
      // none, when the webhook was first
      expect([0, 1]).toContain(changed);
      const { rows } = await store.pool.query(
        "SELECT count(*) AS payments FROM shop.payment WHERE purchase_id = $1 AND status = 'succeeded'",
        [purchase._id],
      );
      expect(rows).toEqual([{ payments: 1 }]);
      const emails = async () =>
        (await store.outbox()).filter(
          (mail) => mail.subject.match(/paid|payment/i) && mail.text.includes(payment.id),
        );
      await expect.poll(async () => (await emails()).length, { timeout: 10_000 }).toBe(1);
    }));

  test("opened for payment in ten tabs has one payment", () =>
    repeat(3, async () => {
      const purchase = await placeFor(buyer(), await addProduct(admin));
      const opened = await Promise.all(Array.from({ length: 10 }, () => openPaymentFor(buyer(), purchase)));
      expect(new Set(opened.map((payment) => payment.id)).size).toBe(1);
    }));

  test("shipped ten times concurrently is shipped once", () =>
    repeat(3, async () => {
      const purchase = await placeFor(buyer(), await addProduct(admin));
      await payFor(store, buyer(), purchase);
      const ship = () => admin.send("shipPurchase", { params: { id: purchase._id } });
      const replies = await Promise.all(Array.from({ length: 10 }, ship));
      expect(statuses(replies)).toEqual([200, ...Array(9).fill(409)]);
      expect(await statusOf(purchase)).toBe("shipped");
    }));
});

describe("a user", () => {
  test("whose ten first calls are concurrent has one user record", async () => {
    const email = `ten.${crypto.randomUUID()}@buyers.example`;
    const response = await fetch(`${store.url}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: store.url },
      body: JSON.stringify({ name: "Ten Tabs", email, password: "a good password" }),
    });
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const send = () => fetch(`${store.url}/user/${email}`, { method: "PUT", headers: { cookie } });
    const tokens = await Promise.all(Array.from({ length: 10 }, send));
    expect(tokens.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    const { rows } = await store.pool.query("SELECT count(*) AS records FROM shop.user WHERE email = $1", [
      email,
    ]);
    expect(rows).toEqual([{ records: 1 }]);
  });

  test("who is new at ten processes is created once, and refused by none", async () => {
    const shop = { pool: store.pool } as unknown as Store;
    await repeat(100, async () => {
      const id = crypto.randomUUID();
      const identity = { id, email: `ten.${id}@buyers.example`, name: "Ten Tabs" };
      const users = await Promise.all(Array.from({ length: 10 }, () => upsertUser(shop, identity)));
      expect(users).toEqual(Array(10).fill({ ...identity, role: "user" }));
    });
  });
});
