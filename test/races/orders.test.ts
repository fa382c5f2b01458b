/** Orders with many lines, placed, paid, cancelled, shipped and refunded at the same time. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Order, Product } from "../../api/entities.ts";
import { MAX_CONNECTIONS } from "../../server/pool-sizes.ts";
import type { Client } from "../harness/client.ts";
import {
  addProduct,
  confirmCard,
  editProduct,
  paymentOf,
  payOrder,
  placeOrderFor,
  stockOf,
} from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, buyersWithSessions, register, type SignedIn } from "../harness/users.ts";
import { AT_ONCE, count, expectNoDeadlocks, type Round, race as repeat } from "./race.ts";

let store: TestStore;
let admin: SignedIn;
let buyers: SignedIn[];
let ada: SignedIn;
/** Three for each lane, where products are not part of the race: adding one renews the catalogue. */
let toolsOf: Product[][];
beforeAll(async () => {
  store = await openStore({ connections: MAX_CONNECTIONS });
  admin = await adminOf(store);
  buyers = await Promise.all(["Ada", "Ben", "Cleo", "Dov"].map((name) => register(store, name)));
  [ada] = buyers as [SignedIn];
  toolsOf = await Promise.all(Array.from({ length: AT_ONCE }, () => addProducts(3, { quantity: 1_000_000 })));
});
afterAll(async () => {
  await expectNoDeadlocks(store, admin);
  await store.stop();
});

const race = (what: string, round: Round, rounds = 12) => repeat(what, () => store, round, rounds);

/** Of a line in a reply. */
interface Problem {
  code?: string;
  stock?: number;
  price?: number;
}

type Cart = { productId: string; quantity: number; price?: number }[];
const place = (who: Client, lines: Cart, headers = {}) =>
  who.send("placeOrder", { body: { lines, address: "Unit 6" } }, headers);
const underKey = (key: string = crypto.randomUUID()) => ({ "Idempotency-Key": key });
const byId = (id: string) => ({ params: { id } });
const addProducts = (many: number, given = {}) =>
  Promise.all(Array.from({ length: many }, () => addProduct(admin, { minimum_order: 1, ...given })));

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** The provider's balance for these orders is the cost of their lines less refunds, to the cent. */
async function expectMoneyToFollow(...orderIds: string[]): Promise<void> {
  const difference = async () => {
    const { rows } = await store.pool.query(
      `SELECT (SELECT coalesce(sum(CASE WHEN status = 'unpaid' OR cancelled_at IS NOT NULL THEN 0
           ELSE total_cents - refunded_cents END), 0) FROM shop.purchase WHERE order_id = ANY ($1))
         - (SELECT coalesce(sum(i.amount_received_cents - coalesce(c.amount_refunded_cents, 0)), 0)
           FROM sandbox.payment_intent i
           LEFT JOIN sandbox.charge c ON c.payment_intent_id = i.id AND c.status = 'succeeded'
           WHERE i.id IN (SELECT payment_id FROM shop.payment_purchase share
             JOIN shop.purchase ON purchase.id = share.purchase_id WHERE order_id = ANY ($1))) AS cents`,
      [orderIds],
    );
    return rows[0].cents;
  };
  await expect.poll(difference, { timeout: 20_000 }).toBe(0);
}

/** All orders' lines exist, each once, or none of them. */
async function expectWholeOrders(orderIds: string[], lines: number): Promise<void> {
  const { rows } = await store.pool.query(
    `SELECT o.id, count(p.id)::int AS lines FROM shop.order o LEFT JOIN shop.purchase p ON p.order_id = o.id
     GROUP BY o.id HAVING o.id = ANY ($1) AND count(p.id) <> $2 OR count(p.id) = 0`,
    [orderIds, lines],
  );
  expect(rows).toEqual([]);
}

race(
  "30 buyers with 20 lines each in random order over the same 25 tools",
  async () => {
    const tools = await addProducts(25, { quantity: 60 });
    const carts = Array.from({ length: 30 }, () =>
      shuffled(tools)
        .slice(0, 20)
        .map(({ _id }) => ({ productId: _id, quantity: 1 + Math.floor(Math.random() * 5) })),
    );
    const thirty = await buyersWithSessions(store, 30);
    const replies = await Promise.all(carts.map((cart, at) => place(thirty[at] as Client, cart, underKey())));
    expect(count(replies, 200) + count(replies, 409)).toBe(30);
    const placed = carts.filter((_, at) => replies[at]?.status === 200).flat();
    for (const tool of tools) {
      const sold = placed.filter(({ productId }) => productId === tool._id);
      expect(await stockOf(ada, tool)).toBe(60 - sold.reduce((sum, { quantity }) => sum + quantity, 0));
    }
    const orders = replies.flatMap(({ status, body }) => (status === 200 ? [body._id] : []));
    await expectWholeOrders(orders, 20);
    for (const { status, body } of replies) {
      if (status === 409)
        expect(new Set(body.lines.map(({ code }: Problem) => code))).toEqual(new Set(["above_stock"]));
    }
    return replies;
  },
  4,
);

race("the same cart on two devices with one idempotency key", async () => {
  const tools = await addProducts(3, { quantity: 10 });
  const cart = tools.map(({ _id }) => ({ productId: _id, quantity: 6 }));
  const headers = underKey();
  const replies = await Promise.all([place(ada, cart, headers), place(ada, cart, headers)]);
  const again = await place(ada, cart, headers);
  const orders = [...replies, again].flatMap(({ status, body }) => (status === 200 ? [body._id] : []));
  expect(new Set(orders).size).toBe(1);
  expect(again.status).toBe(200);
  expect(await Promise.all(tools.map((tool) => stockOf(ada, tool)))).toEqual([4, 4, 4]);
  return [...replies, again];
});

race("the same cart on two devices with two keys and stock for one", async () => {
  const tools = await addProducts(3, { quantity: 10 });
  const cart = tools.map(({ _id }) => ({ productId: _id, quantity: 6 }));
  const replies = await Promise.all([
    place(ada, cart, underKey()),
    place(ada, cart.toReversed(), underKey()),
  ]);
  expect([count(replies, 200), count(replies, 409)]).toEqual([1, 1]);
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body.lines.map(({ code, stock }: Problem) => [code, stock])).toEqual(
    Array.from({ length: 3 }, () => ["above_stock", 4]),
  );
  expect(await Promise.all(tools.map((tool) => stockOf(ada, tool)))).toEqual([4, 4, 4]);
  return replies;
});

const toolsIn = (lane: number) => toolsOf[lane] as Product[];

const placeLines = (tools: Product[], pieces: number) =>
  placeOrderFor(
    ada,
    tools.map((tool) => [tool, pieces]),
  );

async function paidOrder(tools: Product[], pieces: number): Promise<Order> {
  const order = await placeLines(tools, pieces);
  await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
  return order;
}

async function openedOrder(lane: number) {
  const order = await placeLines(toolsIn(lane), 2);
  const { clientSecret } = await ada.call("createPaymentIntent", {
    body: { total: order.total, orderId: order._id },
  });
  return { order, payment: paymentOf(clientSecret) };
}

race("cancelling one line and paying the order", async (lane) => {
  const { order, payment } = await openedOrder(lane);
  const [line] = order.lines;
  const pay = confirmCard(store, ada, payment).then(() =>
    ada.send("confirmPayment", { ...byId(order._id), body: { transactionId: payment.id } }),
  );
  const replies = await Promise.all([pay, ada.send("cancelPurchase", byId(line?._id ?? ""))]);
  expect(count(replies, 200)).toBe(1);
  await expectMoneyToFollow(order._id);
  return replies;
});

race("a line cancelled during the charge", async (lane) => {
  const { order, payment } = await openedOrder(lane);
  const [line] = order.lines;
  // as if the provider had processed the cancel before it made the charge
  await store.pool.query("UPDATE shop.payment SET status = 'cancelled' WHERE id = $1", [payment.id]);
  const confirm = () =>
    ada.send("confirmPayment", { ...byId(order._id), body: { transactionId: payment.id } });
  const pay = confirmCard(store, ada, payment).then(() => Promise.all([confirm(), confirm()]));
  const [confirmed, cancelled] = await Promise.all([pay, ada.send("cancelPurchase", byId(line?._id ?? ""))]);
  expect(confirmed.map(({ status }) => status)).toEqual([200, 200]);
  await expectMoneyToFollow(order._id);
  const { refunds } = await ada.call("findOrderDetails", byId(order._id));
  const isCancelled = cancelled.status === 200;
  expect(refunds.map(({ purchaseId, amount }) => [purchaseId, amount])).toEqual(
    isCancelled ? [[line?._id, line?.total]] : [],
  );
  return [...confirmed, cancelled];
});

race("concurrent payments of a line, the order and several orders", async (lane) => {
  const order = await placeLines(toolsIn(lane).slice(0, 2), 3);
  const other = await placeLines(toolsIn(lane).slice(2), 10);
  const [line] = order.lines;
  const forms = [
    { total: line?.total ?? 0, purchaseId: line?._id ?? "" },
    { total: order.total, orderId: order._id },
    {
      total: Math.round((order.total + other.total) * 100) / 100,
      purchaseIds: [...order.lines, ...other.lines].map(({ _id }) => _id),
    },
  ];
  const replies = await Promise.all(
    forms.map(async (body) => {
      const opened = await ada.send("createPaymentIntent", { body });
      if (opened.status !== 200) return opened;
      const { clientSecret } = opened.body;
      const payment = paymentOf(clientSecret);
      await confirmCard(store, ada, payment);
      return ada.send("confirmPayment", { ...byId(line?._id ?? ""), body: { transactionId: payment.id } });
    }),
  );
  expect(count(replies, 200)).toBeLessThanOrEqual(1);
  await expectMoneyToFollow(order._id, other._id);
  return replies;
});

race("partial shipments, undoing them and a refund", async (lane) => {
  const order = await paidOrder(toolsIn(lane), 10);
  const ids = order.lines.map(({ _id }) => _id);
  const ship = (purchaseIds: string[], quantity: number) =>
    admin.send("shipOrder", {
      ...byId(order._id),
      body: { lines: purchaseIds.map((purchaseId) => ({ purchaseId, quantity })) },
    });
  const first = await ship(ids, 2);
  const replies = await Promise.all([
    ship(ids, 5),
    ship(ids.toReversed(), 5),
    admin.send("undoShipment", byId(first.body._id)),
    ship(ids.slice(1), 4),
    admin.send("refundPurchase", { ...byId(ids[1] ?? ""), body: { reason: "Not needed." } }),
    admin.send("shipPurchase", byId(ids[2] ?? "")),
  ]);
  expect(first.status).toBe(200);
  const { rows } = await store.pool.query(
    `SELECT p.id FROM shop.purchase p LEFT JOIN shop.shipment_line line ON line.purchase_id = p.id
     WHERE p.order_id = $1 GROUP BY p.id HAVING p.shipped_pieces <> coalesce(sum(line.pieces), 0)`,
    [order._id],
  );
  expect(rows).toEqual([]);
  await expectMoneyToFollow(order._id);
  return replies;
});

race("shipments and cancellations retried with their keys", async (lane) => {
  const order = await paidOrder(toolsIn(lane).slice(0, 2), 4);
  const lines = order.lines.map(({ _id }) => ({ purchaseId: _id, quantity: 1 }));
  const headers = underKey();
  const ship = () => admin.send("shipOrder", { ...byId(order._id), body: { lines } }, headers);
  const shipped = [...(await Promise.all([ship(), ship()])), await ship()];
  expect(new Set(shipped.flatMap(({ status, body }) => (status === 200 ? [body.number] : []))).size).toBe(1);
  expect((await ada.call("findOrderDetails", byId(order._id))).shippedPieces).toBe(2);
  const open = await placeLines(toolsIn(lane).slice(0, 2), 2);
  const key = underKey();
  const cancel = () => ada.send("cancelOrder", byId(open._id), key);
  const cancelled = [...(await Promise.all([cancel(), cancel()])), await cancel()];
  expect(cancelled.at(-1)).toMatchObject({ status: 200, body: { deletedCount: 2 } });
  return [...shipped, ...cancelled];
});

race("a product in carts is archived and its price breaks and multiple are edited", async () => {
  const [archived, edited, other] = (await addProducts(3, {
    price: 10,
    quantity: 1000,
    price_breaks: [{ quantity: 20, price: 8 }],
  })) as [Product, Product, Product];
  const cart = [archived, edited, other].map(({ _id }) => ({ productId: _id, quantity: 20, price: 8 }));
  const [, , ...replies] = await Promise.all([
    admin.send("deleteProduct", byId(archived._id)),
    editProduct(admin, edited, {
      minimum_order: 7,
      order_multiple: 7,
      price_breaks: [{ quantity: 21, price: 9 }],
    }),
    ...buyers.map((who) => place(who, cart, underKey())),
    ...buyers.map((who) => place(who, cart.slice(1), underKey())),
  ]);
  for (const { status, body } of replies) {
    expect([200, 409]).toContain(status);
    if (status === 200)
      expect(body.lines.map(({ price }: Problem) => price)).toEqual(cart.slice(-body.lineCount).map(() => 8));
    else {
      const codes = body.lines.map(({ code }: Problem) => code);
      expect(["archived", "not_a_multiple"]).toEqual(expect.arrayContaining(codes));
    }
  }
  return replies;
});

race(
  "a tool in fifty carts is archived while all of them are ordered",
  async () => {
    const [archived, other] = (await addProducts(2, { price: 10, quantity: 1000 })) as [Product, Product];
    const cart = [
      { productId: archived._id, quantity: 3, price: 10 },
      { productId: other._id, quantity: 2, price: 10 },
    ];
    const fifty = await buyersWithSessions(store, 50);
    await Promise.all(fifty.map((who) => who.call("saveCart", { body: { version: 0, lines: cart } })));
    const [orders, deleted] = await Promise.all([
      Promise.all(fifty.map((who) => place(who, cart, underKey()))),
      admin.send("deleteProduct", byId(archived._id)),
    ]);
    expect(deleted.status).toBe(200);
    const placed = count(orders, 200);
    expect(placed + count(orders, 409)).toBe(50);
    for (const { status, body } of orders)
      if (status === 409) expect(body.lines.map(({ code }: Problem) => code)).toEqual(["archived"]);
    const { rows } = await store.pool.query(
      "SELECT quantity FROM shop.product WHERE id = ANY ($1) ORDER BY array_position($1, id)",
      [[archived._id, other._id]],
    );
    expect(rows).toEqual([{ quantity: 1000 - 3 * placed }, { quantity: 1000 - 2 * placed }]);
    const carts = await Promise.all(fifty.map((who) => who.send("findCart")));
    expect(carts.map(({ body }) => body.lines.length)).toEqual(fifty.map(() => 2));
    const again = await Promise.all(fifty.map((who) => place(who, cart, underKey())));
    expect(count(again, 409)).toBe(50);
    return [...orders, ...carts, ...again];
  },
  2,
);
