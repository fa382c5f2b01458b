/** Orders with many lines: placed, paid, shipped, cancelled and refunded, together and line by line. */
import fc from "fast-check";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Order, Product, Purchase } from "../../../api/entities.ts";
import { statusOfOrder } from "../../../app/pages/orders/fulfillment-status.ts";
import { findOrderConfirmation } from "../../../shop/documents/find-documents.ts";
import { composeEmail, type EmailJob } from "../../../shop/emails/compose.ts";
import { runOnce } from "../../../shop/idempotency/run-once.ts";
import { cancelOrder } from "../../../shop/orders/cancel.ts";
import { expireUnpaidPurchases } from "../../../shop/orders/expire.ts";
import { listOrders } from "../../../shop/orders/find-orders.ts";
import { insertOrder } from "../../../shop/orders/place.ts";
import { sendExpiryReminders } from "../../../shop/orders/remind.ts";
import { searchPurchases } from "../../../shop/orders/search.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import type { Intent } from "../../../shop/payments/provider.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { orderRefusals } from "../../../shop/texts/order-refusals.ts";
import {
  addProduct,
  confirmCard,
  endUndoTime,
  openPaymentFor,
  payFor,
  paymentOf,
  payOrder,
  placeFor,
  placeOrderFor,
  stockOf,
} from "../../harness/orders.ts";
import { shopOf, userRow } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let other: SignedIn;
let saw: Product;
let drill: Product;
let sander: Product;

beforeAll(async () => {
  store = await openStore();
  await store.pool.query(`
    CREATE TABLE public.queued_email (id bigint, payload json);
    CREATE FUNCTION public.note_email() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO public.queued_email VALUES (NEW.id, NEW.payload);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_email AFTER INSERT ON graphile_worker._private_jobs
      FOR EACH ROW EXECUTE FUNCTION public.note_email()`);
  admin = await adminOf(store);
  buyer = await register(store, "Ada Lovell");
  other = await register(store, "Bob Nakamura");
  saw = await addProduct(admin, {
    name: "Saw",
    price: 30,
    minimum_order: 5,
    quantity: 100_000,
    itemNumber: "SW 10-2",
  });
  drill = await addProduct(admin, {
    name: "Drill",
    price: 20,
    minimum_order: 10,
    order_multiple: 10,
    quantity: 100_000,
    price_breaks: [{ quantity: 100, price: 15 }],
  });
  sander = await addProduct(admin, { name: "Sander", price: 12.5, minimum_order: 1, quantity: 50 });
});
afterAll(() => store.stop());
afterEach(async () => {
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
});

/** The emails queued about an order and its lines; sent ones leave the queue. */
const emailsAbout = async (orderId: string) => {
  const { rows } = await store.pool.query<{ mail: string }>(
    `SELECT payload->>'mail' AS mail FROM public.queued_email
     WHERE payload->>'orderId' = $1::text
       OR payload->>'purchaseId' IN (SELECT id::text FROM shop.purchase WHERE order_id = $1::uuid)
     ORDER BY id`,
    [orderId],
  );
  return rows.map(({ mail }) => mail);
};

describe("placing", () => {
  test("refuses several lines of one product in SQL as well", async () => {
    const tool = await addProduct(admin, { minimum_order: 5, quantity: 15 });
    const user = await userRow(store, buyer);
    const lines = [0, 1].map((index) => ({ index, product: tool._id, quantity: 10, price_cents: null }));
    const placed = insertOrder(shopOf(store), user, { address: "Unit 6", phone: "", lines });
    await expect(placed).rejects.toThrow("an order has one line per product");
    expect(await stockOf(buyer, tool)).toBe(15);
  });

  test("takes all lines, adds up lines of one product, and charges the price break", async () => {
    const before = await stockOf(buyer, drill);
    const order = await buyer.call("placeOrder", {
      body: {
        lines: [
          { productId: drill._id, quantity: 60 },
          { itemNumber: "sw102", quantity: 5, price: 30 },
          { productId: drill._id, quantity: 40, price: 20 },
        ],
        address: "Unit 6, Canal Yard",
        phone: " 555 0142 ",
        contact: "Zoë",
        poNumber: "PO-77",
        note: "Ring twice.\nThen wait.",
      },
    });
    expect(order).toMatchObject({
      status: "unpaid",
      poNumber: "PO-77",
      contact: "Zoë",
      note: "Ring twice.\nThen wait.",
      total: 1650,
      due: 1650,
      lineCount: 2,
      pieces: 105,
      shippedPieces: 0,
    });
    expect(
      order.lines.map((line) => [line.productName, line.purchaseQuantity, line.price, line.total]),
    ).toEqual([
      ["Drill", 100, 15, 1500],
      ["Saw", 5, 30, 150],
    ]);
    expect(await stockOf(buyer, drill)).toBe(before - 100);
    expect((await placeOrderFor(buyer, [[saw, 5]])).number).toBe(order.number + 1);
  });

  test("a product whose id is written in two ways is one line, and takes its stock once", async () => {
    const before = await stockOf(buyer, sander);
    const lines = [sander._id, sander._id.toUpperCase()].map((productId) => ({ productId, quantity: 10 }));
    const order = await buyer.call("placeOrder", { body: { address: "Unit 6, Canal Yard", lines } });
    expect(order.lines.map(({ purchaseQuantity }) => purchaseQuantity)).toEqual([20]);
    expect(await stockOf(buyer, sander)).toBe(before - 20);
    await buyer.call("cancelOrder", { params: { id: order._id } });
  });

  test.each([
    [Number.MAX_SAFE_INTEGER, "above_stock"],
    [Number.MIN_SAFE_INTEGER, "below_minimum"],
  ])("refuses lines of %i pieces, whose sum no product can have", async (quantity, code) => {
    const line = { productId: sander._id, quantity };
    const body = { address: "Unit 6, Canal Yard", lines: Array.from({ length: 1100 }, () => line) };
    const refused = await buyer.send("placeOrder", { body });
    expect(refused).toMatchObject({ status: 409, body: { lines: [{ index: 0, code }] } });
  });

  test("orders nothing if a line is wrong, and names each of them", async () => {
    const [before] = await Promise.all([stockOf(buyer, saw)]);
    const archived = await addProduct(admin, { name: "Gone" });
    await admin.call("deleteProduct", { params: { id: archived._id } });
    const reply = await buyer.send("placeOrder", {
      body: {
        lines: [
          { productId: saw._id, quantity: 5 },
          { productId: drill._id, quantity: 15 },
          { productId: sander._id, quantity: 51 },
          { productId: archived._id, quantity: 10 },
          { itemNumber: "AG 125-4", quantity: 1 },
          { productId: crypto.randomUUID(), quantity: 1 },
        ],
        address: "Unit 6",
      },
    });
    expect(reply).toMatchObject({
      status: 409,
      body: {
        detail: "5 lines cannot be ordered as they are. Nothing was ordered.",
        lines: [
          {
            index: 1,
            code: "not_a_multiple",
            multiple: 10,
            detail: "Sold in multiples of 10. Take 10 or 20.",
          },
          { index: 2, code: "above_stock", stock: 50 },
          { index: 3, code: "archived" },
          { index: 4, code: "unknown", detail: "No tool has the item number AG 125-4." },
          { index: 5, code: "unknown", detail: "This tool is not in the catalogue." },
        ],
      },
    });
    expect(await stockOf(buyer, saw)).toBe(before);
  });

  test("refuses a price that rose, and accepts one that fell", async () => {
    const place = (price: number) =>
      buyer.send("placeOrder", {
        body: { lines: [{ productId: saw._id, quantity: 5, price }], address: "Unit 6" },
      });
    expect(await place(29.99)).toMatchObject({
      status: 409,
      body: { lines: [{ index: 0, code: "price_changed", price: 30 }] },
    });
    expect(await place(31)).toMatchObject({ status: 200, body: { total: 150 } });
  });

  test.each([
    [{ lines: [] }, "lines"],
    [{ lines: [{ productId: "x", quantity: 1 }] }, "lines.0.productId"],
    [{ lines: [{ quantity: 1 }] }, "lines.0.productId"],
    [{ lines: [{ itemNumber: "A", quantity: 1.5 }] }, "lines.0.quantity"],
    [{ lines: [{ itemNumber: "A", quantity: "12abc" }] }, "lines.0.quantity"],
    [{ lines: [{ itemNumber: "A", quantity: 1, price: -30 }] }, "lines.0.price"],
    [{ lines: [{ itemNumber: "A", quantity: 1, price: 29.999 }] }, "lines.0.price"],
    [{ address: "" }, "address"],
    [{ poNumber: "x".repeat(41) }, "poNumber"],
    [{ note: "x".repeat(501) }, "note"],
    [{ lines: Array.from({ length: 5001 }, () => ({ itemNumber: "A", quantity: 1 })) }, "lines"],
  ])("refuses %o at %s", async (wrong, field) => {
    const body = { lines: [{ productId: saw._id, quantity: 5 }], address: "Unit 6", ...wrong };
    const reply = await buyer.send("placeOrder", { body: body as never });
    expect(reply).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) } } });
  });

  test("refuses a line with the id of one tool and the item number of another", async () => {
    const itemNumber = `TWO ${crypto.randomUUID()}`;
    const { _id } = await addProduct(admin, { itemNumber });
    const place = (productId: string) =>
      buyer.send("placeOrder", {
        body: { lines: [{ productId, itemNumber, quantity: 10 }], address: "Unit 6" },
      });
    expect(await place(saw._id)).toMatchObject({
      status: 422,
      body: { fields: { "lines.0.itemNumber": expect.any(String) } },
    });
    expect((await place(_id)).status).toBe(200);
  });

  test.each([1e9, -5, 0])("refuses %d pieces", async (quantity) => {
    const reply = await buyer.send("placeOrder", {
      body: { lines: [{ productId: saw._id, quantity }], address: "Unit 6" },
    });
    expect(reply).toMatchObject({ status: 409, body: { lines: [{ index: 0 }] } });
  });

  test.each([-5, 0])(
    "a line of %d pieces takes nothing off another line of its product",
    async (quantity) => {
      const lines = [10, quantity, 10].map((quantity) => ({ productId: saw._id, quantity }));
      const refused = await buyer.send("placeOrder", { body: { lines, address: "Unit 6" } });
      expect(refused).toMatchObject({ status: 409, body: { lines: [{ index: 1, code: "below_minimum" }] } });
    },
  );

  test("refuses more than the limit of a card payment", async () => {
    const expensive = await addProduct(admin, {
      name: "Press",
      price: 999,
      minimum_order: 1,
      quantity: 5000,
    });
    const bigPress = await addProduct(admin, {
      name: "Big press",
      price: 9999,
      minimum_order: 1,
      quantity: 5000,
    });
    const reply = await buyer.send("placeOrder", {
      body: {
        lines: [
          { productId: expensive._id, quantity: 999 },
          { productId: bigPress._id, quantity: 10 },
        ],
        address: "Unit 6",
      },
    });
    expect(reply).toMatchObject({
      status: 422,
      body: { fields: { lines: expect.stringMatching(/\$999,999\.99/) } },
    });
  });

  test("a double click with one key is one order", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { lines: [{ productId: saw._id, quantity: 5 }], address: "Unit 6" };
    const [one, two] = await Promise.all([
      buyer.send("placeOrder", { body }, headers),
      buyer.send("placeOrder", { body }, headers),
    ]);
    const again = await buyer.send("placeOrder", { body }, headers);
    expect(new Set([one, two, again].flatMap(({ body }) => body._id ?? []))).toHaveLength(1);
  });
});

describe("paying", () => {
  test("one payment pays the whole order, under its id or that of a line", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const transactionId = await payOrder(store, buyer, order._id, {
      total: order.total,
      orderId: order._id,
    });
    const [first] = order.lines;
    const again = await buyer.call("confirmPayment", {
      params: { id: first?._id ?? "" },
      body: { transactionId },
    });
    expect(again.modifiedCount).toBe(0);
    const details = await buyer.call("findOrderDetails", { params: { id: String(order.number) } });
    expect(details).toMatchObject({
      status: "paid",
      payments: [{ _id: transactionId, amount: order.total, status: "succeeded" }],
      timeline: [{ what: "placed" }, { what: "paid" }],
    });
    expect(details.lines.map((line) => line.transactionId)).toEqual([transactionId, transactionId]);
    expect(await emailsAbout(order._id)).toEqual(["orderPlaced", "orderPaid"]);
  });

  test("each line is logged as placed, in the order of the lines, without personal data", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const { rows } = await store.pool.query(
      `SELECT who, role, ip, purchase_id, before, after, after->>'ship_to_digest' = shop.ship_to_digest(p) AS digest
       FROM shop.event JOIN shop.purchase p ON p.id = purchase_id WHERE order_id = $1 ORDER BY event.id`,
      [order._id],
    );
    expect(rows).toEqual(
      order.lines.map((line) => ({
        who: expect.any(String),
        role: "user",
        ip: "127.0.0.1",
        purchase_id: line._id,
        before: null,
        after: {
          product_id: line.productId,
          product_name: line.productName,
          quantity: line.purchaseQuantity,
          price_cents: line.price * 100,
          total_cents: line.price * line.purchaseQuantity * 100,
          status: "unpaid",
          user_id: expect.any(String),
          ship_to_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        digest: true,
      })),
    );
  });

  test("one payment pays several orders, each with its own email", async () => {
    const [one, two] = [
      await placeOrderFor(buyer, [
        [saw, 5],
        [drill, 10],
      ]),
      await placeFor(buyer, saw, 6),
    ];
    const purchaseIds = [...one.lines.map(({ _id }) => _id), two._id];
    const total = one.total + two.total;
    await payOrder(store, buyer, two._id, { total, purchaseIds });
    const statuses = await Promise.all(
      [one._id, two.orderId].map(
        async (id) => (await buyer.call("findOrderDetails", { params: { id } })).status,
      ),
    );
    expect(statuses).toEqual(["paid", "paid"]);
    expect(await emailsAbout(one._id)).toEqual(["orderPlaced", "orderPaid"]);
    expect(await emailsAbout(two.orderId)).toEqual(["purchasePlaced", "purchasePaid"]);
  });

  test("a payment is not opened if a line is cancelled meanwhile, and can no longer be charged", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const { payments, ...shop } = shopOf(store);
    let opened: Intent | undefined;
    const createIntent: typeof payments.createIntent = async (request) => {
      opened = await payments.createIntent(request);
      await buyer.call("cancelPurchase", { params: { id: order.lines[0]?._id ?? "" } });
      return opened;
    };
    const user = await userRow(store, buyer);
    const form = { total: order.total, orderId: order._id };
    const slow = { ...shop, payments: { ...payments, createIntent } };
    expect(await createPaymentIntent(slow, user, form)).toMatchObject({ refused: "missing" });
    expect(await payments.findIntent(opened?.id ?? "")).toMatchObject({ status: "canceled" });
  });

  test("a payment of a line is replaced by one of the whole order", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const [line] = order.lines;
    const form = { total: line?.total ?? 0, purchaseId: line?._id ?? "" };
    const { clientSecret } = await buyer.call("createPaymentIntent", { body: form });
    await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
    const late = await confirmCard(store, buyer, paymentOf(clientSecret));
    expect(late.status).toBe(400);
  });

  test("the share of a line cancelled during the charge is refunded", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const body = { total: order.total, orderId: order._id };
    const { clientSecret } = await buyer.call("createPaymentIntent", { body });
    const payment = paymentOf(clientSecret);
    const [line, remaining] = order.lines;
    // as if the charge had been in progress when the cancel reached the provider
    await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE id = $1", [payment.id]);
    await buyer.call("cancelPurchase", { params: { id: line?._id ?? "" } });
    await confirmCard(store, buyer, payment);
    await buyer.call("confirmPayment", {
      params: { id: remaining?._id ?? "" },
      body: { transactionId: payment.id },
    });
    // the page or the webhook submits it, whichever is first
    const find = () => buyer.call("findOrderDetails", { params: { id: order._id } });
    await expect.poll(async () => (await find()).refunds[0]?.state).toBe("done");
    const details = await find();
    expect(details).toMatchObject({
      status: "paid",
      total: remaining?.total,
      refunds: [{ purchaseId: line?._id, amount: line?.total, state: "done" }],
    });
    expect(details.lines.map((one) => Boolean(one.cancelledAt))).toEqual([true, false]);
  });

  test("a payment of two orders that arrives after they were cancelled is refunded on the page of each", async () => {
    const orders = [await placeFor(buyer, saw), await placeFor(buyer, drill)];
    const total = orders.reduce((sum, one) => sum + one.total, 0);
    const purchaseIds = orders.map(({ _id }) => _id);
    const { clientSecret } = await buyer.call("createPaymentIntent", { body: { total, purchaseIds } });
    const payment = paymentOf(clientSecret);
    // as if the charge had been in progress when the cancel reached the provider
    await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE id = $1", [payment.id]);
    for (const id of purchaseIds) await buyer.call("cancelPurchase", { params: { id } });
    await confirmCard(store, buyer, payment);
    for (const order of orders) {
      const find = () => buyer.call("findOrderDetails", { params: { id: order.orderId } });
      await expect.poll(async () => (await find()).payments[0]?.status, { timeout: 20_000 }).toBe("refunded");
      expect(await find()).toMatchObject({
        payments: [{ _id: payment.id, amount: order.total }],
        refunds: [{ purchaseId: order._id, amount: order.total, state: "done" }],
      });
    }
  });

  test("refuses another amount, another buyer and a paid order", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    const body = { total: order.total, orderId: order._id };
    expect(await buyer.send("createPaymentIntent", { body: { ...body, total: 1 } })).toMatchObject({
      status: 422,
    });
    expect(await other.send("createPaymentIntent", { body })).toMatchObject({ status: 403 });
    const purchaseIds = order.lines.map(({ _id }) => _id);
    expect(
      await other.send("createPaymentIntent", { body: { total: order.total, purchaseIds } }),
    ).toMatchObject({
      status: 403,
    });
    await payOrder(store, buyer, order._id, body);
    expect(await buyer.send("createPaymentIntent", { body })).toMatchObject({ status: 409 });
  });
});

describe("cancelling", () => {
  test("one line, then the rest of the order", async () => {
    const before = await stockOf(buyer, saw);
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
      [sander, 1],
    ]);
    expect(await buyer.call("cancelPurchase", { params: { id: order.lines[0]?._id ?? "" } })).toEqual({
      deletedCount: 1,
    });
    expect(await stockOf(buyer, saw)).toBe(before);
    expect(await buyer.call("findOrderDetails", { params: { id: order._id } })).toMatchObject({
      status: "unpaid",
      lineCount: 2,
      total: 212.5,
    });
    expect(await buyer.call("cancelOrder", { params: { id: order._id } })).toEqual({ deletedCount: 2 });
    expect(await buyer.send("cancelOrder", { params: { id: order._id } })).toMatchObject({ status: 404 });
    expect((await buyer.call("findOrderDetails", { params: { id: order._id } })).status).toBe("cancelled");
    expect(await emailsAbout(order._id)).toEqual(["orderPlaced", "purchaseCancelled", "orderCancelled"]);
  });

  test("of an order that is paid in part meanwhile has one response under a key", async () => {
    const payer = await register(store, "Pat Part");
    const order = await placeOrderFor(payer, [
      [saw, 5],
      [sander, 1],
    ]);
    const [, line] = order.lines as [Purchase, Purchase];
    const payment = await openPaymentFor(payer, line);
    const { payments, ...shop } = shopOf(store);
    // the first payment is cancelled; then the buyer opens another one, and pays it
    const cancelIntent = async (id: string) => {
      if (id === payment.id) {
        const cancelled = await payments.cancelIntent(id);
        await openPaymentFor(payer, line);
        return cancelled;
      }
      const { clientSecret } = (await payments.findIntent(id)) as Intent;
      await confirmCard(store, payer, { id, clientSecret });
      return payments.cancelIntent(id);
    };
    const user = await userRow(store, payer);
    const cancel = () =>
      runOnce(
        { ...shop, payments: { ...payments, cancelIntent } },
        "resumable",
        { name: "cancelOrder", userId: user.id, key: order._id, input: {} },
        (inner, request) => cancelOrder(inner, user, order._id, request),
      );
    expect(await cancel()).toEqual({ deletedCount: 1 });
    expect(await cancel()).toEqual({ deletedCount: 1 });
    const { lines } = await payer.call("findOrderDetails", { params: { id: order._id } });
    expect(lines.map(({ status, cancelledAt }) => [status, Boolean(cancelledAt)])).toEqual([
      ["unpaid", true],
      ["paid", false],
    ]);
  });

  test("the orders of a deleted account, with one email each", async () => {
    const leaver = await register(store, "Lee Leaves");
    const lines: [Product, number][] = [
      [drill, 10],
      [saw, 5],
      [sander, 1],
    ];
    const before = await Promise.all(lines.map(([product]) => stockOf(leaver, product)));
    const orders = [await placeOrderFor(leaver, lines), await placeOrderFor(leaver, lines)];
    const [{ _id: orderId, total } = { _id: "", total: 0 }] = orders;
    await leaver.call("createPaymentIntent", { body: { total, orderId } });
    await leaver.call("deleteAccount", { params: { email: leaver.email } });
    for (const { _id } of orders) expect(await emailsAbout(_id)).toEqual(["orderPlaced", "orderCancelled"]);
    expect(await Promise.all(lines.map(([product]) => stockOf(buyer, product)))).toEqual(before);
  });

  test("is refused to others and for paid lines", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    expect(await other.send("cancelOrder", { params: { id: order._id } })).toMatchObject({ status: 403 });
    await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
    expect(await buyer.send("cancelOrder", { params: { id: order._id } })).toMatchObject({ status: 409 });
  });

  test("an order expires as a whole, with one email", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    await store.pool.query(
      "UPDATE shop.purchase SET placed_at = now() - interval '400 hours' WHERE order_id = $1",
      [order._id],
    );
    await sendExpiryReminders(shopOf(store));
    await expireUnpaidPurchases(shopOf(store));
    expect((await buyer.call("findOrderDetails", { params: { id: order._id } })).status).toBe("cancelled");
    expect(await emailsAbout(order._id)).toEqual(["orderPlaced", "orderExpired"]);
  });

  test("an order has one reminder, also if a line of it is locked at that moment", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
    ]);
    await store.pool.query(
      "UPDATE shop.purchase SET placed_at = now() - interval '160 hours' WHERE order_id = $1",
      [order._id],
    );
    // as a payment does that is being opened
    const paying = await store.pool.connect();
    await paying.query("BEGIN");
    await paying.query("SELECT FROM shop.purchase WHERE id = $1 FOR NO KEY UPDATE", [order.lines[0]?._id]);
    const reminded = sendExpiryReminders(shopOf(store));
    await new Promise((done) => setTimeout(done, 200));
    await paying.query("COMMIT");
    paying.release();
    await reminded;
    await sendExpiryReminders(shopOf(store));
    expect(await emailsAbout(order._id)).toEqual(["orderPlaced", "orderExpiresSoon"]);
  });

  test("a reminder that was delayed asks for what is still unpaid, and is not sent if nothing is", async () => {
    const order = await placeOrderFor(buyer, [
      [saw, 5],
      [drill, 10],
      [sander, 1],
    ]);
    const [saws, drills, sanders] = order.lines as [Purchase, Purchase, Purchase];
    const remind = (job: EmailJob) =>
      composeEmail(shopOf(store), { publicUrl: store.url, sender: ["Stator"] }, job);
    const ofOrder = () => remind({ mail: "orderExpiresSoon", orderId: order._id });
    const ofLine = () => remind({ mail: "purchaseExpiresSoon", purchaseId: saws._id });
    expect((await ofOrder())?.subject).toContain(`3 lines of order ${order.number}, $362.50`);
    expect((await ofLine())?.text).toContain("Pay $150.00");
    await payOrder(store, buyer, saws._id, { total: saws.total, purchaseId: saws._id });
    await buyer.call("cancelPurchase", { params: { id: sanders._id } });
    expect((await ofOrder())?.subject).toContain(`10 × Drill of order ${order.number}, $200.00`);
    expect(await ofLine()).toBeNull();
    await payOrder(store, buyer, drills._id, { total: drills.total, purchaseId: drills._id });
    expect(await ofOrder()).toBeNull();
  });
});

describe("shipping", () => {
  async function paidOrder(address = "Unit 6, Canal Yard") {
    const lines: [Product, number][] = [
      [saw, 60],
      [drill, 100],
    ];
    const order = await placeOrderFor(buyer, lines, { address });
    await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
    return order;
  }

  test.each(["https://", "https://exa mple", "http:///", "javascript:alert(1)"])(
    "is refused with the tracking address %s",
    async (trackingUrl) => {
      const order = await paidOrder();
      const lines = [{ purchaseId: order.lines[0]?._id ?? "", quantity: 1 }];
      const reply = await admin.send("shipOrder", {
        params: { id: order._id },
        body: { lines, trackingUrl },
      });
      expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, ["trackingUrl"]]);
    },
  );

  test("some pieces, then the rest", async () => {
    const order = await paidOrder();
    const [saws, drills] = order.lines.map(({ _id }) => _id) as [string, string];
    const params = { id: order._id };
    const first = await admin.call("shipOrder", {
      params,
      body: {
        lines: [
          { purchaseId: drills, quantity: 60 },
          { purchaseId: saws, quantity: 60 },
        ],
        carrier: "Northway",
        trackingNumber: "1Z 999",
        trackingUrl: "https://northway.example/1Z999",
      },
    });
    expect(first).toMatchObject({ carrier: "Northway", trackingNumber: "1Z 999" });
    const partly = await buyer.call("findOrderDetails", { params });
    expect(partly).toMatchObject({ status: "partly_shipped", pieces: 160, shippedPieces: 120 });
    expect(partly.lines.map((line) => [line.status, line.shippedPieces])).toEqual([
      ["shipped", 60],
      ["paid", 60],
    ]);
    expect(await admin.call("shipPurchase", { params: { id: drills } })).toEqual({ modifiedCount: 1 });
    const whole = await buyer.call("findOrderDetails", { params });
    expect(whole.status).toBe("shipped");
    expect(whole.shipments.map(({ lines }) => lines.length)).toEqual([2, 1]);
    expect(whole.timeline.map(({ what, pieces }) => [what, pieces])).toEqual([
      ["placed", undefined],
      ["paid", undefined],
      ["partlyShipped", 60],
      ["shipped", undefined],
      ["partlyShipped", 40],
      ["shipped", undefined],
    ]);
    const shipped = await composeEmail(
      shopOf(store),
      { publicUrl: store.url, sender: ["Stator"] },
      {
        mail: "orderShipped",
        orderId: order._id,
        shipmentId: first._id,
      },
    );
    expect(shipped?.text).toMatch(/60 × Saw.*\$1,800\.00[\s\S]*60 × Drill.*\$900\.00/);
    expect(shipped?.text).toMatch(/Total:? +\$2,700\.00/);
    expect(await emailsAbout(order._id)).toEqual([
      "orderPlaced",
      "orderPaid",
      "orderShipped",
      "orderShipped",
    ]);
  });

  test("a corrected tracking number replaces the wrong one everywhere, and the buyer gets one email", async () => {
    const order = await paidOrder();
    const lines = [{ purchaseId: order.lines[0]?._id ?? "", quantity: 10 }];
    const wrong = { carrier: "Northway", trackingNumber: "1Z 000" };
    const shipment = await admin.call("shipOrder", {
      params: { id: order._id },
      body: { lines, ...wrong, trackingUrl: "https://northway.example/1Z000" },
    });
    const params = { id: shipment._id };
    const correct = (trackingNumber: string) =>
      admin.call("correctTracking", { params, body: { carrier: "Northway", trackingNumber } });
    // its first email is still queued
    expect(await correct("1Z 001")).toMatchObject({ number: shipment.number, trackingNumber: "1Z 001" });
    await endUndoTime(store);
    const emails = async () => (await emailsAbout(order._id)).filter((mail) => mail === "orderShipped");
    const queued = `SELECT FROM graphile_worker._private_jobs WHERE key = 'shipped-${shipment._id}'`;
    await expect.poll(async () => (await store.pool.query(queued)).rowCount, { timeout: 10_000 }).toBe(0);
    const replies = await Promise.all([correct("1Z 999"), correct("1Z 999")]);
    for (const reply of replies) {
      expect(reply).toMatchObject({ trackingNumber: "1Z 999", lines });
      expect(reply.trackingUrl).toBeUndefined();
    }
    expect(await emails()).toHaveLength(2);
    const { shipments } = await buyer.call("findOrderDetails", { params: { id: order._id } });
    expect(shipments).toMatchObject([{ carrier: "Northway", trackingNumber: "1Z 999" }]);
    const sent = async () =>
      (await store.outbox(buyer.email))
        .filter(({ text }) => text.includes("1Z ") && text.includes(String(order.number)))
        .map(({ subject, text }) => `${subject.split(":")[0]} ${/1Z \d+/.exec(text)?.[0]}`)
        .sort();
    await expect.poll(sent, { timeout: 10_000 }).toEqual(["Shipped 1Z 001", "Tracking corrected 1Z 999"]);
    const { events } = await admin.call("listHistory", { query: { purchaseId: lines[0]?.purchaseId } });
    expect(events[0]).toMatchObject({
      what: "tracking corrected",
      who: { email: admin.email },
      before: { tracking_number: "1Z 001" },
      after: { tracking_number: "1Z 999", shipment_id: shipment._id },
    });
  });

  test("the tracking number of a shipment that was undone is not found", async () => {
    const order = await paidOrder();
    const { _id: id } = await admin.call("shipOrder", {
      params: { id: order._id },
      body: { lines: [{ purchaseId: order.lines[0]?._id ?? "", quantity: 10 }] },
    });
    await admin.call("undoShipment", { params: { id } });
    const reply = await admin.send("correctTracking", { params: { id }, body: { trackingNumber: "1Z 999" } });
    expect(reply).toMatchObject({ status: 404, body: { detail: orderRefusals.shipmentNotFound } });
  });

  test.each(["Unit 6", "Deleted"])("to %s can be undone for a moment", async (address) => {
    // of the database, whose clock this process need not share
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    const order = await paidOrder(address);
    const purchaseId = order.lines[0]?._id ?? "";
    const shipment = await admin.call("shipOrder", {
      params: { id: order._id },
      body: { lines: [{ purchaseId, quantity: 10 }] },
    });
    expect(shipment.undoUntil).toBeDefined();
    await admin.call("undoShipment", { params: { id: shipment._id } });
    const details = await buyer.call("findOrderDetails", { params: { id: order._id } });
    expect(details).toMatchObject({ status: "paid", shippedPieces: 0, shipments: [] });
  });

  test("refuses more than remains, a line of another order, and unpaid lines", async () => {
    const [order, unpaid] = [
      await paidOrder(),
      await placeOrderFor(buyer, [
        [saw, 5],
        [drill, 10],
      ]),
    ];
    const [saws] = order.lines.map(({ _id }) => _id) as [string];
    const ship = (id: string, purchaseId: string, quantity: number) =>
      admin.send("shipOrder", { params: { id }, body: { lines: [{ purchaseId, quantity }] } });
    expect(await ship(order._id, saws, 61)).toMatchObject({
      status: 409,
      body: { fields: { "lines.0.quantity": "60 are left on this line." } },
    });
    expect(await ship(unpaid._id, saws, 1)).toMatchObject({ status: 409 });
    expect(await ship(unpaid._id, unpaid.lines[0]?._id ?? "", 1)).toMatchObject({ status: 409 });
    expect(await ship(order._id, saws, 0)).toMatchObject({ status: 422 });
    const shipTwice = (quantity: number) =>
      admin.send("shipOrder", {
        params: { id: order._id },
        body: { lines: [saws, saws.toUpperCase()].map((purchaseId) => ({ purchaseId, quantity })) },
      });
    expect(await shipTwice(31)).toMatchObject({ status: 409 });
    expect(await shipTwice(1_000_000)).toMatchObject({ status: 409 });
    expect(await shipTwice(30)).toMatchObject({ status: 200, body: { lines: [{ quantity: 60 }] } });
  });

  test("concurrently by 8 admins ships the same pieces once", async () => {
    const order = await paidOrder();
    const purchaseId = order.lines[0]?._id ?? "";
    const body = { lines: [{ purchaseId, quantity: 60 }] };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => admin.send("shipOrder", { params: { id: order._id }, body })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("of two shipments entered for the same state of a line, one is made", async () => {
    const order = await paidOrder();
    const purchaseId = order.lines[0]?._id ?? "";
    const ship = (seenShipped: number) =>
      admin.send("shipOrder", {
        params: { id: order._id },
        body: { lines: [{ purchaseId, quantity: 30, seenShipped }] },
      });
    const replies = await Promise.all([ship(0), ship(0)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const detail = orderRefusals.shippedMeanwhile(30, 0);
    expect(await ship(0)).toMatchObject({ status: 409, body: { fields: { "lines.0.quantity": detail } } });
    expect(await ship(30)).toMatchObject({ status: 200 });
  });

  test("the rest of a line is not shipped by an admin who saw another rest", async () => {
    const order = await paidOrder();
    const params = { id: order.lines[0]?._id ?? "" };
    await admin.call("shipOrder", {
      params: { id: order._id },
      body: { lines: [{ purchaseId: params.id, quantity: 10 }] },
    });
    const detail = orderRefusals.shippedMeanwhile(10, 0);
    expect(await admin.send("shipPurchase", { params, body: { seenShipped: 0 } })).toMatchObject({
      status: 409,
      body: { detail },
    });
    expect(await admin.call("shipPurchase", { params, body: { seenShipped: 10 } })).toEqual({
      modifiedCount: 1,
    });
  });
});

test("an order of which nothing is left to ship has the same status in lists, on its page and on paper", async () => {
  const tools = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      addProduct(admin, { name: `Bit set ${index}`, minimum_order: 1 }),
    ),
  );
  const order = await placeOrderFor(
    buyer,
    tools.map((tool) => [tool, 1]),
  );
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const ids = order.lines.map(({ _id }) => _id);
  const refund = (id: string) =>
    admin.call("refundPurchase", { params: { id }, body: { reason: "Out of production." } });
  const statuses = async () => {
    const { orders } = await buyer.call("listOrders", { query: { q: String(order.number) } });
    const details = await buyer.call("findOrderDetails", { params: { id: order._id } });
    const user = await userRow(store, buyer);
    const sheet = await findOrderConfirmation(shopOf(store), order._id, user);
    const paper = isRefusal(sheet) ? undefined : sheet.facts.find(({ label }) => label === "Status")?.value;
    return [...[orders[0] as Order, details].map(statusOfOrder), paper];
  };
  const { documents } = await buyer.call("findOrderDetails", { params: { id: order._id } });
  const invoice = documents.find(({ kind }) => kind === "invoice")?.number ?? "";
  const found = await buyer.call("listOrders", { query: { q: invoice.toLowerCase() } });
  expect(found.orders.map(({ number }) => number)).toEqual([order.number]);
  for (const id of ids.slice(1)) await refund(id);
  expect(await statuses()).toEqual(["paid", "paid", "Paid"]);
  await admin.call("shipPurchase", { params: { id: ids[0] ?? "" } });
  expect(await statuses()).toEqual(["shipped", "shipped", "Shipped"]);

  const other = await placeOrderFor(
    buyer,
    tools.map((tool) => [tool, 1]),
  );
  await payOrder(store, buyer, other._id, { total: other.total, orderId: other._id });
  for (const { _id } of other.lines) await refund(_id);
  const listed = await buyer.call("listOrders", { query: { q: String(other.number) } });
  expect(statusOfOrder(listed.orders[0] as Order)).toBe("refunded");
});

describe("finding", () => {
  test("own orders by number, PO number and words; all of them for an admin", async () => {
    const order = await placeOrderFor(
      other,
      [
        [saw, 5],
        [drill, 10],
      ],
      { poNumber: "KX-4711" },
    );
    const find = async (who: SignedIn, query: Record<string, string>) =>
      (await who.call("listOrders", { query })).orders.map(({ number }) => number);
    expect(await find(other, {})).toEqual([order.number]);
    for (const q of [`${order.number}`, `#${order.number}`, `Order ${order.number}`, "kx4711", "PO KX 4711"])
      expect(await find(other, { q }), q).toEqual([order.number]);
    expect(await find(other, { q: "po-kx 4712" })).toEqual([]);
    expect(await find(admin, { q: "kx-47 nakamura" })).toEqual([order.number]);
    expect(await find(buyer, { q: "kx-4711" })).toEqual([]);
    expect(await find(other, { status: "shipped" })).toEqual([]);
    expect(await find(other, { status: "unpaid", from: "2026-01-01", to: "2126-01-01" })).toEqual([
      order.number,
    ]);
    expect(await other.send("listOrders", { query: { from: "yesterday" } })).toMatchObject({ status: 422 });
    for (const query of [{ from: "0000-01-01" }, { to: "0000-02-29" }]) {
      expect(await other.send("listOrders", { query })).toMatchObject({ status: 422 });
      expect(await admin.send("searchPurchases", { query })).toMatchObject({ status: 422 });
    }
    expect(await buyer.send("findOrderDetails", { params: { id: order._id } })).toMatchObject({
      status: 403,
    });
    expect(await other.call("findOrderDetails", { params: { id: order.lines[1]?._id ?? "" } })).toMatchObject(
      {
        number: order.number,
      },
    );
  });

  test("an order that is cancelled between the statements of a list does not fail the list", async () => {
    const { _id, number } = await placeOrderFor(other, [[saw, 5]]);
    const viewer = { id: _id, email: "", name: "", role: "admin" } as const;
    const listed = await listOrders(cancelledWhenFound(_id), viewer, { mine: false, limit: 1 });
    expect(listed).toMatchObject({ orders: [] });

    const again = await placeOrderFor(other, [[saw, 5]]);
    const search = { sort: "newest", limit: 1 } as const;
    expect(await searchPurchases(cancelledWhenFound(again._id), search)).toMatchObject({
      orders: [{ orderNumber: number + 1, lineCount: 0 }],
    });
  });

  /** The shop; as soon as a statement has found the order, its buyer cancels it. */
  function cancelledWhenFound(id: string): Store {
    const shop = shopOf(store);
    let isFound = false;
    const query = async (...statement: unknown[]) => {
      const result = await (shop.pool.query as (...given: unknown[]) => Promise<pg.QueryResult>).apply(
        shop.pool,
        statement,
      );
      if (!isFound && result.rows.some((row) => row.id === id || row.order_id === id)) {
        isFound = true;
        await other.call("cancelOrder", { params: { id } });
      }
      return result;
    };
    return { ...shop, pool: { query } as Store["pool"] };
  }

  test("is one order of one line for a single purchase", async () => {
    const purchase = await placeFor(buyer, saw);
    await payFor(store, buyer, purchase);
    await admin.call("shipPurchase", { params: { id: purchase._id } });
    const order = await buyer.call("findOrderDetails", { params: { id: purchase._id } });
    expect(order).toMatchObject({
      status: "shipped",
      lineCount: 1,
      shipments: [{ lines: [{ quantity: 5 }] }],
    });
    expect(await emailsAbout(order._id)).toEqual(["purchasePlaced", "purchasePaid", "purchaseShipped"]);
  });
});

test("the sum of the lines is the total, the amount charged and the invoice, for any cart", async () => {
  const products = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      addProduct(admin, {
        name: `Tool ${n}`,
        price: n * 2 + 0.07,
        minimum_order: n,
        order_multiple: n,
        quantity: 1_000_000,
        price_breaks: [
          { quantity: 20 * n, price: n * 2 + 0.03 },
          { quantity: 50 * n, price: n * 2 },
        ],
      }),
    ),
  );
  const line = fc.record({ at: fc.nat(4), times: fc.integer({ min: 1, max: 80 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (wanted) => {
      const lines = wanted.map(({ at, times }): [Product, number] => [
        products[at] as Product,
        times * (at + 1),
      ]);
      const order = await placeOrderFor(buyer, lines);
      const cents = order.lines.map((one) => Math.round(one.total * 100));
      expect(cents.reduce((sum, one) => sum + one, 0)).toBe(Math.round(order.total * 100));
      for (const one of order.lines) {
        const { price } = await buyer.call("findPrice", {
          params: { id: one.productId },
          query: { quantity: one.purchaseQuantity },
        });
        expect(one.price).toBe(price);
      }
      const transactionId = await payOrder(store, buyer, order._id, {
        total: order.total,
        orderId: order._id,
      });
      const intent = await shopOf(store).payments.findIntent(transactionId);
      const { rows } = await store.pool.query(
        `SELECT total_cents, (SELECT sum(amount_cents) FROM shop.invoice_line WHERE invoice_number = number) AS lines
         FROM shop.invoice WHERE order_id = $1`,
        [order._id],
      );
      const totalCents = Math.round(order.total * 100);
      expect(intent?.amountReceivedCents).toBe(totalCents);
      expect(rows).toEqual([{ total_cents: totalCents, lines: totalCents }]);
    }),
    { numRuns: 15 },
  );
});
