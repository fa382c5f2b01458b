import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Order } from "../../../api/entities.ts";
import { listOrders, type OrderPage } from "../../../shop/orders/find-orders.ts";
import { countPurchases } from "../../../shop/orders/search.ts";
import { addProduct, payOrder, placeOrderFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let [ada, bob]: SignedIn[] = [];
let [first, second, third]: Order[] = [];

beforeAll(async () => {
  // the unpaid orders are older than the default hold, and would expire during the test
  store = await openStore({ environment: { UNPAID_HOLD_HOURS: "0" } });
  admin = await adminOf(store);
  ada = await register(store, "Ada Lovell");
  bob = await register(store, "Bob Nakamura");
  const grinder = await addProduct(admin, { name: "Angle grinder", itemNumber: "AG 125", quantity: 100_000 });
  const saw = await addProduct(admin, { name: "Circular saw", itemNumber: "CS 190", quantity: 100_000 });
  first = await placeOrderFor(ada, [[grinder, 10]], { poNumber: "HFO-4471" });
  second = await placeOrderFor(bob, [[saw, 10]], { poNumber: "AG 125, AG125" });
  third = await placeOrderFor(
    ada,
    [grinder, saw].map((tool): [typeof tool, number] => [tool, 20]),
  );
  await payOrder(store, ada, third._id, { total: third.total, orderId: third._id });
  for (const [order, days] of [
    [first, 40],
    [second, 5],
  ] as const)
    await store.pool.query(
      "UPDATE shop.purchase SET placed_at = placed_at - make_interval(days => $2) WHERE order_id = $1",
      [order._id, days],
    );
});
afterAll(() => store.stop());

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

async function found(query: Record<string, string | number>) {
  const { orders, counts } = await admin.call("searchPurchases", { query } as never);
  expect(counts.all).toBeGreaterThanOrEqual(orders.length);
  const { body } = await admin.send("exportPurchases", { query });
  const exported = body.trimEnd().split("\r\n").slice(1);
  expect(exported.map((row: string) => Number(row.split(",", 1)[0]))).toEqual(
    orders.map(({ orderNumber }) => orderNumber),
  );
  return { numbers: orders.map(({ orderNumber }) => orderNumber), counts };
}

describe("filters of Manage All Orders", () => {
  test("buyer, account, PO number, item, dates and age", async () => {
    const [one, two, three] = [first, second, third].map((order) => order?.number);
    const { customers } = await admin.call("searchCustomers", { query: { q: "lovell" } });
    const cases: [Record<string, string | number>, unknown[]][] = [
      [{ buyer: "LOVELL" }, [three, three, one]],
      [{ buyer: "ada lovell" }, [three, three, one]],
      [{ buyer: "100%" }, []],
      [{ customer: customers[0]?._id ?? "" }, [three, three, one]],
      [{ po: "hfo" }, [one]],
      [{ po: "ag 125" }, [two]],
      [{ item: "AG 125" }, [three, one]],
      [{ item: "ag-125" }, [three, one]],
      [{ q: "cs-190" }, [three, two]],
      // as an item number, and as the PO number has it
      [{ q: "ag125" }, [three, two, one]],
      [{ item: "circular" }, [three, two]],
      [{ item: "circular", buyer: "bob" }, [two]],
      [{ from: day(10) }, [three, three, two]],
      [{ from: day(10), to: day(3) }, [two]],
      [{ to: day(3), sort: "oldest" }, [one, two]],
      [{ age: 4 }, [two, one]],
      [{ age: 30 }, [one]],
      [{ q: "grinder", age: 30 }, [one]],
    ];
    for (const [query, numbers] of cases)
      expect((await found(query)).numbers, JSON.stringify(query)).toEqual(numbers);
    for (const buyer of [ada as SignedIn, admin]) {
      const { orders } = await buyer.call("listOrders", { query: { q: "ag-125" } });
      expect(orders.map(({ number }) => number)).toEqual([three, one]);
    }
    expect((await found({ buyer: "lovell", status: "paid" })).counts).toMatchObject({
      all: 3,
      unpaid: 1,
      paid: 2,
    });
  });

  test("pages by date in both directions", async () => {
    const query = { from: day(60), limit: 1 };
    const ids: string[] = [];
    let cursor: string | undefined;
    let back: string | undefined;
    do {
      const page = await admin.call("searchPurchases", { query: { ...query, ...(cursor && { cursor }) } });
      ids.push(...page.orders.map(({ _id }) => _id));
      [cursor, back] = [page.next, page.previous];
    } while (cursor);
    expect(new Set(ids).size).toBe(4);
    const before = await admin.call("searchPurchases", { query: { ...query, cursor: back ?? "" } });
    expect(before.orders.map(({ _id }) => _id)).toEqual([ids[2]]);
  });

  test("days are those of UTC, whatever the time zone of the database", async () => {
    const client = await store.pool.connect();
    try {
      await client.query("BEGIN");
      for (const [table, id] of [
        ["purchase", "order_id"],
        ["order", "id"],
      ])
        await client.query(`UPDATE shop.${table} SET placed_at = '2026-01-10 23:30Z' WHERE ${id} = $1`, [
          second?._id,
        ]);
      const shop = { ...shopOf(store), pool: client };
      const viewer = { id: first?._id as string, email: admin.email, name: "", role: "admin" as const };
      for (const zone of ["Asia/Tokyo", "America/Lima", "UTC"]) {
        await client.query(`SET LOCAL timezone = '${zone}'`);
        for (const [day, orders] of [
          ["2026-01-09", []],
          ["2026-01-10", [second?.number]],
          ["2026-01-11", []],
        ] as const) {
          const days = { from: day, to: day };
          expect(await countPurchases(shop, days)).toBe(orders.length);
          const listed = await listOrders(shop, viewer, { ...days, mine: false, limit: 5 });
          expect((listed as OrderPage).orders.map(({ number }) => number)).toEqual(orders);
        }
      }
    } finally {
      client.release(true);
    }
  });

  test("days are those of a given time zone, also in the export and in the number of a saved view", async () => {
    const placedAt = (time: string) =>
      store.pool.query("UPDATE shop.purchase SET placed_at = $2 WHERE order_id = $1", [second?._id, time]);
    const { rows } = await store.pool.query<{ placed_at: Date }>(
      "SELECT placed_at FROM shop.purchase WHERE order_id = $1",
      [second?._id],
    );
    for (const [time, zone, day, isFound] of [
      ["2026-01-11T04:59:59.999Z", "America/New_York", "2026-01-10", true],
      ["2026-01-11T05:00:00.000Z", "America/New_York", "2026-01-10", false],
      ["2026-01-11T05:00:00.000Z", "America/New_York", "2026-01-11", true],
      // the clocks go back, and the day has 25 hours
      ["2025-11-03T04:59:59.999Z", "America/New_York", "2025-11-02", true],
      // a day without midnight
      ["2026-04-23T22:00:00.000Z", "Africa/Cairo", "2026-04-24", true],
      ["2026-04-23T21:59:59.999Z", "Africa/Cairo", "2026-04-24", false],
      ["2024-02-29T18:30:00.000Z", "Asia/Kolkata", "2024-02-29", false],
      ["2024-02-29T18:29:59.999Z", "Asia/Kolkata", "2024-02-29", true],
    ] as const) {
      await placedAt(time);
      const days = { from: day, to: day };
      expect((await found({ ...days, zone })).numbers, `${time} in ${zone}`).toEqual(
        isFound ? [second?.number] : [],
      );
      const view = { name: "Day", query: `from=${day}&to=${day}` };
      expect(await admin.call("saveView", { body: { ...view, zone } })).toMatchObject({ count: +isFound });
      const { views } = await admin.call("listSavedViews", { query: { zone } });
      expect(views).toMatchObject([{ name: "Day", count: +isFound }]);
      await admin.call("deleteView", { params: { id: views[0]?._id ?? "" } });
    }
    for (const zone of ["Asia/Tokyo", "America/Lima"])
      expect((await found({ from: "0001-01-01", to: "9999-12-31", zone })).numbers).toHaveLength(4);
    await placedAt(rows[0]?.placed_at.toISOString() ?? "");
  });

  test("a text that many accounts have does not read all of their ids", async () => {
    const [one, two, three] = [first, second, third].map((order) => order?.number);
    await store.pool.query(
      `INSERT INTO shop.user (id, email, name, location)
       SELECT uuidv7(), 'crowd-' || n || '@crowd.example', 'Crowd', '' FROM generate_series(1, 10001) AS n`,
    );
    const readLists = async (buyer: string) => {
      const query = vi.spyOn(store.pool, "query");
      await countPurchases(shopOf(store), { buyer });
      const { calls } = query.mock;
      query.mockRestore();
      return calls.flatMap((call) => (call as unknown[])[1] as unknown[]).filter(Array.isArray);
    };
    // without orders they are not compared with each line
    expect(await readLists("crowd")).toEqual([[]]);
    await store.pool.query(
      "UPDATE shop.customer SET orders = 1 WHERE user_id IN (SELECT id FROM shop.user WHERE name = 'Crowd')",
    );
    expect((await found({ buyer: "@" })).numbers).toEqual([three, three, two, one]);
    expect((await found({ buyer: "@", q: "grinder saw" })).numbers).toEqual([]);
    expect((await found({ buyer: "@", q: "grinder", age: 30 })).numbers).toEqual([one]);
    expect(await countPurchases(shopOf(store), { buyer: "@" })).toBe(4);
    expect((await readLists("@")).filter(({ length }) => length > 10_000)).toEqual([]);
  });

  test("refuse invalid dates, numbers and ids, by name", async () => {
    for (const [name, value] of [
      ["from", "yesterday"],
      ["to", "2026-02-30"],
      ["to", "0000-12-31"],
      ["age", "old"],
      ["customer", "ada"],
    ] as const) {
      const reply = await admin.send("searchPurchases", { query: { [name]: value } });
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.fields)).toEqual([name]);
    }
  });
});

test("a pick list is in the order of item numbers", async () => {
  const tools = await Promise.all([
    addProduct(admin, { name: "Bare chuck" }),
    addProduct(admin, { name: "Ant drill", itemNumber: "PL 2" }),
    addProduct(admin, { name: "Zebra saw", itemNumber: "PL 1" }),
  ]);
  const order = await placeOrderFor(
    bob as SignedIn,
    tools.map((tool): [typeof tool, number] => [tool, 10]),
  );
  await payOrder(store, bob as SignedIn, order._id, { total: order.total, orderId: order._id });
  const readList = () => admin.call("pickList", { query: { orders: String(order.number) } });
  const { products } = await readList();
  expect(products.map(({ productName }) => productName)).toEqual(["Zebra saw", "Ant drill", "Bare chuck"]);
  expect(products.flatMap(({ picks }) => picks.map(({ disputed }) => disputed))).toEqual(
    Array(3).fill(undefined),
  );

  await store.pool.query(
    "UPDATE shop.purchase SET disputed_at = now() WHERE order_id = $1 AND product_name = 'Ant drill'",
    [order._id],
  );
  expect((await readList()).products[1]?.picks).toMatchObject([{ disputed: true }]);
  const csv = await admin.fetch(`/pick-list/export.csv?orders=${order.number}`);
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines.map((line) => line.split(",").at(-1))).toEqual(["disputed", "false", "true", "false"]);
});

test("a pick list and its CSV have the pieces that are not shipped yet", async () => {
  const tool = await addProduct(admin, { itemNumber: "PL 500" });
  const order = await placeOrderFor(bob as SignedIn, [[tool, 500]]);
  await payOrder(store, bob as SignedIn, order._id, { total: order.total, orderId: order._id });
  const [{ _id: purchaseId }] = order.lines as [Order["lines"][number]];
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId, quantity: 200 }] },
  });
  expect((await admin.call("pickList", { query: { orders: String(order.number) } })).pieces).toBe(300);
  const csv = await admin.fetch(`/pick-list/export.csv?orders=${order.number}`);
  expect(await csv.text()).toContain(`PL 500,${tool.name},300,${order.number},`);
});

describe("saved views", () => {
  test("are an admin's own; a name is replaced; at most 50", async () => {
    const late = await admin.call("saveView", { body: { name: "Late", query: "status=paid&age=3" } });
    await admin.call("saveView", {
      body: { name: "Ada", query: "buyer=Ada+Lovell&columns=total&sort=oldest" },
    });
    const replaced = await admin.call("saveView", { body: { name: "LATE", query: "status=paid&age=7" } });
    expect(replaced).toEqual({ _id: late._id, name: "LATE", query: "status=paid&age=7", count: 0 });
    await admin.call("saveView", { body: { name: "Broken", query: "from=yesterday" } });
    const { views, countLimit } = await admin.call("listSavedViews", {});
    // as many as the list finds; the columns and the order do not matter
    expect(views.map(({ name, count }) => [name, count])).toEqual([
      ["Ada", (await found({ buyer: "Ada Lovell" })).counts.all],
      ["Broken", undefined],
      ["LATE", 0],
    ]);
    expect(countLimit).toBe(1000);
    const repeated = "buyer=Ada+Lovell&buyer=Nobody&customer=&from=+&status=paid&status=unpaid";
    expect(await admin.call("saveView", { body: { name: "Ada", query: repeated } })).toMatchObject({
      count: (await found({ buyer: "Ada Lovell", status: "paid" })).counts.paid,
    });
    await admin.call("deleteView", { params: { id: views[1]?._id as string } });

    const colleague = await register(store, "Colleague");
    await admin.call("makeAdmin", { params: { email: colleague.email }, body: { confirmUnconfirmed: true } });
    expect((await colleague.call("listSavedViews", {})).views).toEqual([]);
    expect((await colleague.send("deleteView", { params: { id: late._id } })).status).toBe(404);
    expect(await admin.call("deleteView", { params: { id: late._id } })).toEqual({ deletedCount: 1 });

    for (let number = 2; number <= 50; number += 1)
      await admin.call("saveView", { body: { name: `View ${number}`, query: "" } });
    const refused = await admin.send("saveView", { body: { name: "One more", query: "" } });
    expect(refused).toMatchObject({ status: 409, body: { detail: "You have 50 views. Delete one first." } });
    expect((await admin.send("saveView", { body: { name: "View 2", query: "q=x" } })).status).toBe(200);
    for (const query of ["<script>", "a=b#c", `q=${"x".repeat(1000)}`])
      expect((await admin.send("saveView", { body: { name: "Bad", query } })).body.fields).toHaveProperty(
        "query",
      );
  });
});
