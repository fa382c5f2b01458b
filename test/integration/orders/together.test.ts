/** Purchases that are placed in the same moment share a transaction, and nobody notices. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { openPool } from "../../../database/client.ts";
import { createBatcher } from "../../../shop/batch.ts";
import { insertPurchase, keyInUse, type PurchaseInsert } from "../../../shop/orders/insert.ts";
import { expectBooksToAgree } from "../../harness/books.ts";
import { adminOf, register, type SignedIn } from "../../harness/people.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { offer } from "../../harness/trade.ts";

let store: TestStore;
let buyers: SignedIn[];
let tools: Product[];

beforeAll(async () => {
  store = await openStore();
  const admin = await adminOf(store);
  buyers = await Promise.all(["Ada", "Bela", "Carl", "Dora"].map((name) => register(store, name)));
  tools = await Promise.all(
    ["Saw", "Drill", "Plane", "Router", "Sander"].map((name) => offer(admin, { name })),
  );
});
afterAll(() => store.stop());
afterEach(() => expectBooksToAgree(store.pool));

async function wantedBy(
  buyer: SignedIn,
  tool: Product,
  changed: Partial<PurchaseInsert> = {},
): Promise<PurchaseInsert> {
  const { rows } = await store.pool.query("SELECT id FROM shop.user WHERE email = $1", [buyer.email]);
  const { name, email } = buyer;
  const order = {
    product: tool._id,
    pieces: 10,
    price_cents: tool.price * 100,
    address: "1 Street",
    phone: "",
  };
  return { ...order, buyer: rows[0].id, name, email, actor: "", ...changed };
}

const keyless = { request: undefined, key: undefined, digest: undefined };

/** Every order, with two before them that keep both rounds busy, so that these share the next one. */
async function writeInOneRound(orders: PurchaseInsert[]) {
  const [first, second] = orders as [PurchaseInsert, PurchaseInsert];
  return Promise.allSettled([
    insertPurchase(store.pool, { ...first, ...keyless, product: tools[3]?._id as string }),
    insertPurchase(store.pool, { ...second, ...keyless, product: tools[4]?._id as string }),
    ...orders.map((order) => insertPurchase(store.pool, order)),
  ]).then((results) => results.slice(2));
}

test("eighty purchases at once: each is its buyer's own, with one line of history and one mail", async () => {
  const replies = await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const buyer = buyers[index % buyers.length] as SignedIn;
      const productId = tools[index % 3]?._id;
      const body = { productId, price: 12.5, purchaseQuantity: 10, address: `${index} Street` };
      const reply = await buyer.ask("placePurchase", { body });
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
      const mails = await store.outbox();
      return replies.map((id) => mails.filter(({ text }) => text.includes(id)).length);
    })
    .toEqual(replies.map(() => 1));
});

test("an order that the database refuses harms no other of its round", async () => {
  const [ada, bela] = buyers as [SignedIn, SignedIn];
  const good = await wantedBy(ada, tools[0] as Product);
  const unknown = await wantedBy(bela, tools[1] as Product, {
    buyer: "00000000-0000-7000-8000-000000000000",
  });
  const dear = await wantedBy(bela, tools[2] as Product, { price_cents: 1 });
  const [one, two, three] = await writeInOneRound([good, unknown, dear]);
  expect(one).toMatchObject({ status: "fulfilled", value: { email: ada.email, quantity: 10 } });
  expect(two).toMatchObject({ status: "rejected", reason: { code: "23503" } });
  expect(three).toEqual({ status: "fulfilled", value: null });
});

test("a tool that somebody holds keeps only those waiting who want it", async () => {
  const [ada, bela] = buyers as [SignedIn, SignedIn];
  const free = await wantedBy(ada, tools[0] as Product);
  const held = await wantedBy(bela, tools[1] as Product);
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [held.product]);
  const ended: string[] = [];
  const both = [
    insertPurchase(store.pool, { ...free, product: tools[3]?._id as string }),
    insertPurchase(store.pool, { ...free, product: tools[4]?._id as string }),
    insertPurchase(store.pool, held).then(() => ended.push("held")),
    insertPurchase(store.pool, free).then(() => ended.push("free")),
  ];
  await expect.poll(() => ended).toEqual(["free"]);
  await holder.query("COMMIT");
  holder.release();
  await Promise.all(both);
  expect(ended).toEqual(["free", "held"]);
});

const underKey = (key: string) => ({ request: crypto.randomUUID(), key, digest: "input" });

test("orders under keys share a round: each key counts once, and one that does not fit is free again", async () => {
  const [ada, bela] = buyers as [SignedIn, SignedIn];
  const order = await wantedBy(ada, tools[0] as Product);
  const once = { ...order, ...underKey("once") };
  const same = { ...order, product: tools[1]?._id as string, ...underKey("once") };
  const others = { ...(await wantedBy(bela, tools[2] as Product)), ...underKey("once") };
  const dear = { ...order, price_cents: 1, ...underKey("dear") };
  const [first, second, third, fourth] = await writeInOneRound([once, same, others, dear]);
  expect(first).toMatchObject({ status: "fulfilled", value: { email: ada.email } });
  expect(second).toEqual({ status: "fulfilled", value: keyInUse });
  expect(third).toMatchObject({ status: "fulfilled", value: { email: bela.email } });
  expect(fourth).toEqual({ status: "fulfilled", value: null });
  expect(await insertPurchase(store.pool, { ...order, ...underKey("dear") })).toMatchObject({ quantity: 10 });
});

test("a key that another process is using keeps nobody else of the round waiting", async () => {
  const [ada, bela] = buyers as [SignedIn, SignedIn];
  const used = { ...(await wantedBy(ada, tools[0] as Product)), ...underKey("used") };
  const free = { ...(await wantedBy(bela, tools[1] as Product)), ...underKey("used") };
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT shop.take_request(uuidv7(), $1, 'used', 'input', '1s')", [used.buyer]);
  const [kept, placed] = await writeInOneRound([used, free]);
  await holder.query("ROLLBACK");
  holder.release();
  expect(kept).toEqual({ status: "fulfilled", value: keyInUse });
  expect(placed).toMatchObject({ status: "fulfilled", value: { email: bela.email } });
});

test("two processes that are asked under the same keys at once place each order once", async () => {
  const { password } = store.pool.options; // not among what is copied
  const other = openPool({ ...store.pool.options, password, max: 10 }, (error) => {
    throw error;
  });
  try {
    for (let round = 0; round < 20; round += 1) {
      const orders = await Promise.all(
        buyers.map(async (buyer, index) => ({
          ...(await wantedBy(buyer, tools[(index + round) % 3] as Product)),
          ...underKey(`both ${round}`),
        })),
      );
      const all = await Promise.all(
        [store.pool, other].flatMap((pool) =>
          orders.map((order) => insertPurchase(pool, { ...order, request: crypto.randomUUID() })),
        ),
      );
      const placed = all.filter((one) => one !== keyInUse && one !== null);
      expect(new Set(placed.map((one) => one.email))).toEqual(new Set(buyers.map(({ email }) => email)));
      expect([placed.length, all.filter((one) => one === keyInUse).length]).toEqual([
        buyers.length,
        buyers.length,
      ]);
    }
  } finally {
    await other.end();
  }
});

test("rounds: the first goes at once, the next share one, and those alike are never in two", async () => {
  const begun: string[][] = [];
  const open: (() => void)[] = [];
  const ask = createBatcher<string, string>({
    rounds: 2,
    most: 3,
    alike: (item) => item[0] as string,
    work: async (items) => {
      begun.push(items);
      await new Promise<void>((resolve) => open.push(resolve));
      if (items.includes("e1")) throw new Error("e1 cannot be");
      return items.map((item) => item.toUpperCase());
    },
  });
  const answers = ["a1", "b1", "a2", "c1", "a3", "e1", "f1"].map((item) =>
    ask(item).catch((error) => error.message),
  );
  expect(begun).toEqual([["a1"], ["b1"]]);
  open[1]?.();
  await expect.poll(() => begun[2]).toEqual(["c1", "e1", "f1"]);
  open[0]?.();
  await expect.poll(() => begun[3]).toEqual(["a2", "a3"]);
  open[2]?.();
  open[3]?.();
  expect(await Promise.all(answers)).toEqual([
    "A1",
    "B1",
    "A2",
    "e1 cannot be",
    "A3",
    "e1 cannot be",
    "e1 cannot be",
  ]);
});
