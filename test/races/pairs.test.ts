/**
 * Two or ten requests for what only one can have, fifty times each, over HTTP on real PostgreSQL. ROUNDS=500 for
 * more. Losers are refused with a reason; none hangs, and nothing is half done.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { readConfig } from "../../server/config.ts";
import { connectPayments } from "../../server/payments.ts";
import { MAX_CONNECTIONS } from "../../server/pool-sizes.ts";
import { openSecrets } from "../../server/secrets.ts";
import { expireUnpaidPurchases } from "../../shop/orders/expire.ts";
import type { Reply } from "../harness/client.ts";
import { addProduct, confirmCard, drill, openPaymentFor, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { AT_ONCE, count, expectNoDeadlocks, type Round, race as repeat } from "./race.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
let ben: SignedIn;
/** One for each lane, where a product is not part of the race: adding one renews the catalogue. */
let tools: Product[];
beforeAll(async () => {
  store = await openStore({ connections: MAX_CONNECTIONS });
  admin = await adminOf(store);
  ada = await register(store, "Ada");
  ben = await register(store, "Ben");
  tools = await Promise.all(
    Array.from({ length: AT_ONCE }, () => addProduct(admin, { quantity: 1_000_000 })),
  );
});
afterAll(async () => {
  await expectNoDeadlocks(store, admin);
  await store.stop();
});

const race = (what: string, round: Round) => repeat(what, () => store, round);

const buy = (who: SignedIn, productId: string, purchaseQuantity: number, headers = {}) =>
  who.send("placePurchase", { body: { productId, purchaseQuantity, address: "Unit 6" } }, headers);
const byId = ({ _id }: { _id: string }) => ({ params: { id: _id } });

async function row(id: string) {
  const { rows } = await store.pool.query(
    `SELECT status, cancelled_at IS NOT NULL AS gone, refunded_cents, transaction_id,
       (SELECT array_agg(payload->>'mail' ORDER BY id) FROM graphile_worker._private_jobs
        WHERE payload->>'purchaseId' = p.id::text) AS waiting,
       (SELECT coalesce(sum(i.amount_received_cents), 0) - coalesce(sum(c.amount_refunded_cents), 0)
        FROM shop.payment y JOIN sandbox.payment_intent i ON i.id = y.id
        LEFT JOIN sandbox.charge c ON c.payment_intent_id = i.id AND c.status = 'succeeded'
        WHERE y.purchase_id = p.id) AS kept_cents
     FROM shop.purchase p WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** The money kept for a purchase is what was paid less refunds, to the cent. */
async function expectMoneyToFollow(id: string) {
  const differenceCents = async () => {
    const now = await row(id);
    const due = now.status === "unpaid" || now.gone ? 0 : 12_500 - now.refunded_cents;
    return now.kept_cents - due;
  };
  await expect.poll(differenceCents, { timeout: 20_000 }).toBe(0);
}

describe("stock", () => {
  race("two buyers of the last lot", async () => {
    const { _id } = await addProduct(admin, { quantity: 15 });
    const replies = await Promise.all([buy(ada, _id, 10), buy(ben, _id, 10)]);
    expect([count(replies, 200), count(replies, 422)]).toEqual([1, 1]);
    return replies;
  });

  race("the same purchase in two tabs with one idempotency key", async () => {
    const { _id } = await addProduct(admin);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const replies = await Promise.all([buy(ada, _id, 10, key), buy(ada, _id, 10, key)]);
    const placed = replies.filter(({ status }) => status === 200);
    expect(new Set(placed.map(({ body }) => body._id)).size).toBe(1);
    expect((await admin.call("findProduct", byId({ _id }))).quantity).toBe(990);
    return replies;
  });

  race("two edits and a deletion of a product during two purchases", async () => {
    const product = await addProduct(admin, { quantity: 30 });
    const edit = (price: number) =>
      admin.send("editProduct", {
        ...byId(product),
        body: { ...drill, price, quantity: 40, version: 1, seenQuantity: 30 },
      });
    const buyer = (who: SignedIn) =>
      who.send("placePurchase", {
        body: { productId: product._id, purchaseQuantity: 10, address: "Unit 6", price: 12.5 },
      });
    const [first, second, deleted, ...bought] = await Promise.all([
      edit(13),
      edit(14),
      admin.send("deleteProduct", byId(product)),
      buyer(ada),
      buyer(ben),
    ]);
    expect(count([first, second] as Reply[], 200)).toBeLessThanOrEqual(1);
    expect(deleted.status).toBe(200);
    for (const { status, body } of bought) {
      expect([200, 404, 409, 422]).toContain(status);
      if (status === 200) expect(body.price).toBe(12.5);
    }
    return [first, second, deleted, ...bought] as Reply[];
  });
});

describe("money", () => {
  const place = (lane: number) => placeFor(ada, tools[lane] as Product);

  const openOrder = async (lane: number) => {
    const purchase = await place(lane);
    return { purchase, payment: await openPaymentFor(ada, purchase) };
  };

  race("cancellation and a charge in progress", async (lane) => {
    const { purchase, payment } = await openOrder(lane);
    const payAndConfirm = confirmCard(store, ada, payment).then(() =>
      ada.send("confirmPayment", { ...byId(purchase), body: { transactionId: payment.id } }),
    );
    const replies = await Promise.all([payAndConfirm, ada.send("cancelPurchase", byId(purchase))]);
    expect(count(replies, 200)).toBe(1);
    await expectMoneyToFollow(purchase._id);
    return replies;
  });

  race("cancellation and opening the payment page", async (lane) => {
    const purchase = await place(lane);
    const body = { total: purchase.total, purchaseId: purchase._id };
    const replies = await Promise.all([
      ada.send("createPaymentIntent", { body }),
      admin.send("cancelPurchase", byId(purchase)),
      ada.send("createPaymentIntent", { body }),
    ]);
    expect(replies[1]?.status).toBe(200);
    const { rows } = await store.pool.query(
      `SELECT i.status FROM shop.payment y JOIN sandbox.payment_intent i ON i.id = y.id
       WHERE y.purchase_id = $1 AND (y.status = 'open' OR i.status <> 'canceled')`,
      [purchase._id],
    );
    expect(rows).toEqual([]);
    return replies;
  });

  let price = 20;
  race("two ways of opening the payment page", async () => {
    // each round needs a distinct total
    price += 1;
    const purchase = await placeFor(ada, await addProduct(admin, { price }), 11);
    const { total } = purchase;
    const replies = await Promise.all([
      ada.send("createPaymentIntent", { body: { total, purchaseId: purchase._id } }),
      ada.send("createPaymentIntent", { body: { total } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { rowCount } = await store.pool.query(
      "SELECT FROM shop.payment WHERE purchase_id = $1 AND status = 'open'",
      [purchase._id],
    );
    expect(rowCount).toBe(1);
    return replies;
  });

  race("cancellation by the buyer and by an admin", async (lane) => {
    const { purchase } = await openOrder(lane);
    const replies = await Promise.all([
      ada.send("cancelPurchase", byId(purchase)),
      admin.send("cancelPurchase", byId(purchase)),
    ]);
    expect([count(replies, 200), count(replies, 404)]).toEqual([1, 1]);
    return replies;
  });

  race("expiry and payment", async (lane) => {
    const { purchase, payment } = await openOrder(lane);
    await store.pool.query("UPDATE shop.purchase SET placed_at = now() - interval '1 year' WHERE id = $1", [
      purchase._id,
    ]);
    const payAndConfirm = confirmCard(store, ada, payment).then(() =>
      ada.send("confirmPayment", { ...byId(purchase), body: { transactionId: payment.id } }),
    );
    const [reply] = await Promise.all([payAndConfirm, expire()]);
    const now = await row(purchase._id);
    expect(now.gone).toBe(now.status === "unpaid");
    await expectMoneyToFollow(purchase._id);
    return [reply];
  });

  race("three confirmations of a payment by the page", async (lane) => {
    const { purchase, payment } = await openOrder(lane);
    await confirmCard(store, ada, payment);
    const confirm = () =>
      ada.send("confirmPayment", { ...byId(purchase), body: { transactionId: payment.id } });
    const replies = await Promise.all([confirm(), confirm(), confirm()]);
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body.transactionId).toBe(payment.id);
    }
    expect(replies.filter(({ body }) => body.modifiedCount === 1).length).toBeLessThanOrEqual(1);
    return replies;
  });

  race("ten concurrent shipments and a refund", async (lane) => {
    const purchase = await place(lane);
    await payFor(store, ada, purchase);
    const refund = admin.send("refundPurchase", { ...byId(purchase), body: { reason: "Not needed." } });
    const ships = Array.from({ length: 10 }, () => admin.send("shipPurchase", byId(purchase)));
    const replies = await Promise.all([...ships, refund]);
    expect(count(replies.slice(0, 10), 200)).toBeLessThanOrEqual(1);
    expect(replies[10]?.status).toBe(200);
    await expectMoneyToFollow(purchase._id);
    return replies;
  });

  race("a shipment and a partial refund that restocks the items", async () => {
    const product = await addProduct(admin);
    const purchase = await placeFor(ada, product);
    await payFor(store, ada, purchase);
    const refund = { amount: 25, reason: "Not needed.", returnToStock: true };
    const replies = await Promise.all([
      admin.send("shipPurchase", byId(purchase)),
      admin.send("refundPurchase", { ...byId(purchase), body: refund }),
    ]);
    const [shipped, refunded] = replies.map(({ status }) => status === 200);
    expect([shipped, refunded]).toEqual([!refunded, !shipped]);
    const { status, returned } = await admin.call("findOrder", byId(purchase));
    expect([status, returned]).toEqual(shipped ? ["shipped", undefined] : ["paid", true]);
    const { quantity } = await admin.call("findProduct", byId(product));
    expect(quantity).toBe(shipped ? 990 : 1000);
    await expectMoneyToFollow(purchase._id);
    return replies;
  });

  const emails = new Map<string, number>();
  race("undoing a shipment and sending its email", async (lane) => {
    const purchase = await place(lane);
    const transactionId = await payFor(store, ada, purchase);
    await admin.call("shipPurchase", byId(purchase));
    await store.pool.query(
      "UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'shipped-' || (SELECT shipment_id FROM shop.shipment_line WHERE purchase_id = $1)",
      [purchase._id],
    );
    // sometimes before, sometimes after the workers have looked for jobs
    await pause(Math.random() * 700);
    const undo = () => admin.send("undoShipment", byId(purchase));
    const replies = await Promise.all([undo(), undo()]);
    const undone = count(replies, 200);
    expect([undone, count(replies, 409)]).toEqual(undone ? [1, 1] : [0, 2]);
    expect((await row(purchase._id)).status).toBe(undone ? "paid" : "shipped");
    emails.set(transactionId, 1 - undone);
    return replies;
  });

  test("the email of a shipment is sent once, that of an undone one never", async () => {
    const sent = async () => {
      const shipped = (await store.outbox()).filter(({ subject }) => subject.startsWith("Shipped:"));
      return [...emails.keys()].map((id) => [id, shipped.filter(({ text }) => text.includes(id)).length]);
    };
    await expect.poll(sent, { timeout: 10_000 }).toEqual([...emails]);
    expect(new Set(emails.values()).size).toBe(2);
  });

  race("two full refunds", async (lane) => {
    const purchase = await place(lane);
    await payFor(store, ada, purchase);
    const send = () => admin.send("refundPurchase", { ...byId(purchase), body: { reason: "Not needed." } });
    const replies = await Promise.all([send(), send()]);
    expect([count(replies, 200), count(replies, 409)]).toEqual([1, 1]);
    await expectMoneyToFollow(purchase._id);
    return replies;
  });
});

let made = 0;
race("Make Admin twice", async () => {
  made += 1;
  const id = crypto.randomUUID();
  const email = `future.admin.${made}@people.example`;
  await store.pool.query("INSERT INTO shop.user (id, email, name) VALUES ($1, $2, 'Future Admin')", [
    id,
    email,
  ]);
  const make = () => admin.send("makeAdmin", { params: { email }, body: { confirmUnconfirmed: true } });
  const replies = await Promise.all([make(), make()]);
  expect(replies.map(({ body }) => body.modifiedCount).sort()).toEqual([0, 1]);
  return replies;
});

/** A second process of the store, which lets holds expire. */
async function expire(): Promise<number> {
  const secrets = await openSecrets({ DATA_DIR: store.dataDir }, store.pool);
  const { provider } = connectPayments(readConfig({}), secrets, store.pool, { origin: () => store.url });
  return expireUnpaidPurchases({ pool: store.pool, payments: provider, unpaidHoldHours: 168 });
}
