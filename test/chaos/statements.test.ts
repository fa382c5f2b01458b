/**
 * A process is killed at each statement of placing, paying and shipping an order: before it is sent, and before its
 * result arrives.
 */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import type { Order } from "../../api/entities.ts";
import { openPool } from "../../database/client.ts";
import { runOnce } from "../../shop/idempotency/run-once.ts";
import { placeOrder } from "../../shop/orders/place.ts";
import { shipOrder } from "../../shop/orders/ship.ts";
import { confirmPayment } from "../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../shop/payments/create-intent.ts";
import { addProduct } from "../../shop/products/add.ts";
import { reconcile } from "../../shop/reconciliation/check.ts";
import { isRefusal, type Refusal } from "../../shop/refusal.ts";
import type { Store, User } from "../../shop/store.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { cards, paymentOf } from "../harness/orders.ts";
import { type Fixture, openFixture, payByPage } from "../integration/payments/fixture.ts";
import { newUser, startStore } from "../model/real.ts";

const PIECES = 3;

let fixture: Fixture;
let store: Store;
let buyer: User;
let admin: User;
let products: string[];
beforeAll(async () => {
  fixture = await openFixture();
  store = startStore(fixture);
  buyer = await newUser(store, "user");
  admin = await newUser(store, "admin");
  const form = { name: "Drill", picture: "/tools/x.svg", description: "A drill.", minimum_order: 1 };
  const added = await Promise.all(
    [1, 2, 3].map((price) => addProduct(store, { ...form, price, quantity: 1000 })),
  );
  products = added.map((one) => (one as { insertedId: string }).insertedId);
});
afterAll(() => fixture.close());

interface Process {
  store: Store;
  /** how many statements it has sent */
  sent(): number;
  end(): Promise<void>;
}

/** A process that is killed at its `at`-th statement: its connections close, which rolls open transactions back. */
function startProcess(at: number, moment: "before" | "after"): Process {
  const pool = openPool(
    { ...fixture.pool.options, password: fixture.pool.options.password, max: 4 } as pg.PoolConfig,
    () => undefined,
  );
  const clients: pg.PoolClient[] = [];
  let sent = 0;
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    for (const client of clients)
      (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
    throw new Error("killed");
  };
  pool.on("connect", (client) => {
    clients.push(client);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const run = async (args: unknown[]) => {
      if (isKilled) throw new Error("killed");
      sent += 1;
      const isLast = sent === at;
      if (isLast && moment === "before") kill();
      const result = await query(...args);
      if (isLast) kill();
      return result;
    };
    client.query = ((...args: unknown[]) => {
      const callbackIndex = args.findIndex((one) => typeof one === "function");
      if (callbackIndex === -1) return run(args);
      const callback = args[callbackIndex] as (error: unknown, result?: unknown) => void;
      run(args.slice(0, callbackIndex)).then((result) => callback(null, result), callback);
    }) as typeof client.query;
  });
  return { store: { ...store, pool }, sent: () => sent, end: () => pool.end() };
}

/** What the buyer and the admin send, each with a key for retries. */
interface Keys {
  place: string;
  open: string;
  confirm: string;
  ship: string;
}

async function runWithKey<Result>(
  at: Store,
  name: CallName,
  { id }: User,
  key: string,
  run: (store: Store, request: string) => Promise<Result | Refusal>,
): Promise<Result> {
  const { idempotency } = contract[name] as Call;
  const result = (await runOnce(
    at,
    idempotency as "transaction",
    { name, userId: id, key, input: name },
    run,
  )) as Result | Refusal;
  if (isRefusal(result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
  return result;
}

async function buyAndShip(at: Store, keys: Keys): Promise<Order> {
  const lines = products.map((productId) => ({ productId, quantity: PIECES }));
  const form = { lines, address: "Unit 6", phone: "", contact: "", poNumber: "", note: "" };
  const order = await runWithKey(at, "placeOrder", buyer, keys.place, (tx) => placeOrder(tx, buyer, form));
  const { clientSecret } = await runWithKey(at, "createPaymentIntent", buyer, keys.open, (tx, request) =>
    createPaymentIntent(tx, buyer, { total: order.total, orderId: order._id }, request),
  );
  const payment = paymentOf(clientSecret);
  // refused if it was charged before the process was killed
  await payByPage(fixture, payment, cards.good);
  await runWithKey(at, "confirmPayment", buyer, keys.confirm, (tx, request) =>
    confirmPayment(tx, buyer, order._id, payment.id, request),
  );
  const shipped = order.lines.map(({ _id }) => ({ purchaseId: _id, quantity: PIECES }));
  await runWithKey(at, "shipOrder", admin, keys.ship, (tx) =>
    shipOrder(tx, order._id, { lines: shipped, carrier: "", trackingNumber: "", trackingUrl: "" }),
  );
  return order;
}

test.each(["before", "after"] as const)(
  "killed %s each statement, the repeated requests order, charge and ship once",
  async (moment) => {
    let statements = 0;
    for (let at = 1; ; at += 1) {
      const keys = { place: "", open: "", confirm: "", ship: "" };
      for (const name of Object.keys(keys)) keys[name as keyof Keys] = crypto.randomUUID();
      const before = await stock();
      const first = startProcess(at, moment);
      const died = await buyAndShip(first.store, keys).then(
        () => false,
        (error: Error) => {
          if (!/killed|terminated|closed/i.test(error.message)) throw error;
          return true;
        },
      );
      await first.end();
      if (!died) {
        statements = first.sent();
        break;
      }
      // the key of an interrupted request is held for a minute
      await fixture.pool.query("UPDATE shop.request SET held_until = now() WHERE answer IS NULL");
      const order = await buyAndShip(store, keys);
      expect(await stock(), `killed ${moment} statement ${at}`).toEqual(
        before.map((pieces) => pieces - PIECES),
      );
      await expectOnce(order);
    }
    // every statement of the four requests was interrupted
    expect(statements).toBeGreaterThan(12);
  },
);

test("afterwards the doctor finds nothing", async () => {
  await expectConsistentStore(fixture.pool);
  await fixture.pool.query("DELETE FROM graphile_worker._private_jobs");
  expect((await reconcile(store, { days: 1, recheckAfterMs: 0 })).faults).toEqual([]);
});

async function stock(): Promise<number[]> {
  const { rows } = await fixture.pool.query("SELECT quantity FROM shop.product ORDER BY price_cents");
  return rows.map(({ quantity }) => quantity);
}

async function expectOnce(order: Order): Promise<void> {
  const { rows } = await fixture.pool.query(
    `SELECT (SELECT count(*)::int FROM shop.purchase WHERE order_id = $1 AND status = 'shipped') AS shipped,
       (SELECT count(*)::int FROM shop.shipment WHERE order_id = $1) AS shipments,
       (SELECT count(*)::int FROM shop.invoice WHERE order_id = $1) AS invoices,
       (SELECT sum(amount_received_cents)::int FROM sandbox.payment_intent WHERE id IN (
         SELECT payment_id FROM shop.payment_purchase share JOIN shop.purchase ON purchase.id = share.purchase_id
         WHERE order_id = $1)) AS charged,
       (SELECT array_agg(payload->>'mail' ORDER BY id) FROM graphile_worker._private_jobs
         WHERE payload->>'orderId' = $1::text) AS emails`,
    [order._id],
  );
  expect(rows).toEqual([
    {
      shipped: products.length,
      shipments: 1,
      invoices: 1,
      charged: Math.round(order.total * 100),
      emails: ["orderPlaced", "orderPaid", "orderShipped"],
    },
  ]);
}
