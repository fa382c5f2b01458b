/** Orders placed at the same time. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Product, Purchase } from "../../../api/entities.ts";
import { openPool } from "../../../database/client.ts";
import { MAX_CONNECTIONS } from "../../../server/pool-sizes.ts";
import { inProgress, runOnce } from "../../../shop/idempotency/run-once.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { addProduct } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let buyers: SignedIn[];
let tools: Product[];

beforeAll(async () => {
  store = await openStore({ connections: MAX_CONNECTIONS });
  const admin = await adminOf(store);
  buyers = await Promise.all(["Ada", "Bela", "Carl", "Dora"].map((name) => register(store, name)));
  tools = await Promise.all(
    ["Saw", "Drill", "Plane", "Router", "Sander"].map((name) => addProduct(admin, { name })),
  );
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

test("eighty concurrent purchases: each is its own buyer's, with one audit log entry and one email", async () => {
  const replies = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const buyer = buyers[index % buyers.length] as SignedIn;
      const productId = tools[index % 3]?._id;
      const body = { productId, price: 12.5, purchaseQuantity: 10, address: `${index} Street` };
      const reply = await buyer.send("placePurchase", { body });
      expect([reply.status, reply.body.email, reply.body.address, reply.body.productId]).toEqual([
        200,
        buyer.email,
        `${index} Street`,
        productId,
      ]);
      return reply.body._id as string;
    }),
  );
  expect(new Set(replies).size).toBe(80);
  const { rows: events } = await store.pool.query(
    `SELECT u.email AS buyer, actor.email AS who, event.role, event.ip IS NOT NULL AS has_ip
     FROM shop.event JOIN shop.purchase u ON u.id = event.purchase_id LEFT JOIN shop.user actor ON actor.id = event.who
     WHERE event.what = 'placed' AND u.id = ANY ($1)`,
    [replies],
  );
  expect(events).toHaveLength(80);
  for (const { buyer, who, role, has_ip } of events)
    expect({ who, role, has_ip }).toEqual({ who: buyer, role: "user", has_ip: true });
  await expect
    .poll(async () => {
      const emails = await store.outbox();
      return replies.map((id) => emails.filter(({ text }) => text.includes(id)).length);
    })
    .toEqual(replies.map(() => 1));
});

test("an order waits only for its own product", async () => {
  const [ada, bela] = buyers as [SignedIn, SignedIn];
  const order = (product: Product | undefined) => ({
    body: { productId: product?._id as string, purchaseQuantity: 10, address: "1 Street" },
  });
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [tools[1]?._id]);
  const ended: string[] = [];
  const held = ada.call("placePurchase", order(tools[1])).then(() => ended.push("held"));
  await bela.call("placePurchase", order(tools[0])).then(() => ended.push("free"));
  expect(ended).toEqual(["free"]);
  await holder.query("COMMIT");
  holder.release();
  await held;
});

test("orders with the same keys at two processes are placed once each", async () => {
  const { password } = store.pool.options; // not among the copied columns
  const other = openPool({ ...store.pool.options, password, max: 10 }, (error) => {
    throw error;
  });
  const own = shopOf(store);
  const signedIn = await Promise.all(
    buyers.map(async ({ email, name }) => {
      const { rows } = await store.pool.query<{ id: string }>("SELECT id FROM shop.user WHERE email = $1", [
        email,
      ]);
      return { id: rows[0]?.id as string, email, name, role: "user" as const };
    }),
  );
  try {
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.all(
        [own, { ...own, pool: other }].flatMap((shop) =>
          signedIn.map((buyer, index) => {
            const productId = tools[(index + round) % 3]?._id;
            const call = { name: "placePurchase", userId: buyer.id, key: `both ${round}`, input: productId };
            const line = { productId, purchaseQuantity: 10, address: "1 Street", phone: "" };
            return runOnce(shop, "transaction", call, (tx) => placePurchase(tx, buyer, line));
          }),
        ),
      );
      const placed = results.filter((result) => result !== inProgress) as Purchase[];
      expect(new Set(placed.map(({ _id }) => _id)).size).toBe(buyers.length);
      expect(new Set(placed.map(({ email }) => email))).toEqual(new Set(buyers.map(({ email }) => email)));
    }
  } finally {
    await other.end();
  }
});
