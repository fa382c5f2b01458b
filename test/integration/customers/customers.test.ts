import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { reconcile } from "../../../shop/reconciliation/check.ts";
import { repairDiscrepancies } from "../../../shop/reconciliation/repair.ts";
import { addProduct, payFor, payOrder, placeFor, placeOrderFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let [ada, bob, carla]: SignedIn[] = [];
let [grinder, saw]: Product[] = [];

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada Lovell");
  bob = await register(store, "bob Nakamura");
  carla = await register(store, "Carla Ito");
  grinder = await addProduct(admin, { name: "Angle grinder", price: 12.5, quantity: 100_000 });
  saw = await addProduct(admin, { name: "Circular saw", price: 20, quantity: 100_000 });
});
afterAll(() => store.stop());

const list = async (query: Record<string, string | number> = {}) =>
  admin.call("searchCustomers", { query } as never);
const named = async (name: string) => {
  const { customers } = await list({ q: name });
  return customers.find((customer) => customer.name === name);
};
const bothLines = () =>
  [grinder, saw].map((product): [Product, number] => [product as Product, 10]) as [Product, number][];

async function expectFiguresToAgree() {
  const { faults } = await reconcile(await shopOf(store));
  expect(faults.filter(({ detail }) => detail.startsWith("Customer"))).toEqual([]);
}

describe("the figures of a customer", () => {
  test("follow placing, paying, refunding and cancelling", async () => {
    const buyer = ada as SignedIn;
    expect(await named("Ada Lovell")).toMatchObject({ orders: 0, revenue: 0 });
    const order = await placeOrderFor(buyer, bothLines(), { poNumber: "HFO-4471" });
    const placed = await named("Ada Lovell");
    expect(placed).toMatchObject({ orders: 1, revenue: 0, lastOrderAt: order.placedAt });
    await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
    expect(await named("Ada Lovell")).toMatchObject({ orders: 1, revenue: 325 });
    await admin.call("refundPurchase", {
      params: { id: order.lines[0]?._id ?? "" },
      body: { amount: 25, reason: "Scratched." },
    });
    expect(await named("Ada Lovell")).toMatchObject({ orders: 1, revenue: 300 });

    const second = await placeOrderFor(buyer, bothLines());
    const [first, last] = second.lines;
    expect(await named("Ada Lovell")).toMatchObject({ orders: 2, lastOrderAt: second.placedAt });
    await buyer.call("cancelPurchase", { params: { id: first?._id ?? "" } });
    expect(await named("Ada Lovell")).toMatchObject({ orders: 2 });
    await buyer.call("cancelPurchase", { params: { id: last?._id ?? "" } });
    expect(await named("Ada Lovell")).toMatchObject({ orders: 1, lastOrderAt: order.placedAt });
    await expectFiguresToAgree();
  });

  test("agree when orders are placed and cancelled concurrently", async () => {
    const buyer = bob as SignedIn;
    const orders = await Promise.all(Array.from({ length: 8 }, () => placeOrderFor(buyer, bothLines())));
    await Promise.all([
      ...orders
        .slice(0, 6)
        .flatMap(({ lines }) =>
          lines.map(({ _id }) => buyer.call("cancelPurchase", { params: { id: _id } })),
        ),
      placeFor(buyer, grinder as Product),
      placeOrderFor(buyer, bothLines()),
    ]);
    expect(await named("bob Nakamura")).toMatchObject({ orders: 4 });
    await expectFiguresToAgree();
  });

  test("are recomputed by the doctor if they disagree", async () => {
    await store.pool.query("UPDATE shop.customer SET orders = 17, revenue_cents = 1");
    await store.pool.query(
      "DELETE FROM shop.customer WHERE user_id = (SELECT id FROM shop.user WHERE name = 'Carla Ito')",
    );
    const shop = await shopOf(store);
    const { faults } = await reconcile(shop);
    expect(faults.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(
        /^Customer .+ \(\S+\): recorded orders 17 and revenue \$0\.01, counted 1 and \$300\.00\.$/,
      ),
    );
    await repairDiscrepancies(shop, 1, () => undefined);
    await expectFiguresToAgree();
    expect(await named("Ada Lovell")).toMatchObject({ orders: 1, revenue: 300 });
  });
});

describe("the list of customers", () => {
  test("is searched by name, email, order and PO number", async () => {
    const [{ number } = { number: 0 }] = (await (ada as SignedIn).call("listOrders", {})).orders;
    for (const q of ["lovell", (ada as SignedIn).email, "HFO-4471", String(number), "ADA lov"])
      expect(
        (await list({ q })).customers.map(({ name }) => name),
        q,
      ).toContain("Ada Lovell");
    expect((await list({ q: "nobody of this name" })).customers).toEqual([]);
  });

  test("pages through every sorting in both directions; admins without orders are left out", async () => {
    const expected = {
      name: ["Ada Lovell", "bob Nakamura", "Carla Ito"],
      orders: ["bob Nakamura", "Ada Lovell", "Carla Ito"],
      revenue: ["Ada Lovell"],
      recent: ["bob Nakamura", "Ada Lovell", "Carla Ito"],
    };
    for (const [sort, names] of Object.entries(expected)) {
      const listedNames: string[] = [];
      let cursor: string | undefined;
      let back: string | undefined;
      do {
        const page = await list({ sort, limit: 1, ...(cursor && { cursor }) });
        listedNames.push(...page.customers.map(({ name }) => name));
        [cursor, back] = [page.next, page.previous];
      } while (cursor);
      expect(listedNames).toHaveLength(3);
      expect(listedNames.slice(0, names.length), sort).toEqual(names);
      const before = await list({ sort, limit: 1, cursor: back ?? "" });
      expect(before.customers.map(({ name }) => name)).toEqual([listedNames[1]]);
    }
    expect((await list()).counts).toEqual({ all: 3, quiet: 0, closed: 0 });
    expect((await admin.send("searchCustomers", { query: { cursor: "nonsense" } })).status).toBe(422);
  });

  test("filters closed ones, and those without an order for 90 days", async () => {
    const { email } = carla as SignedIn;
    await admin.call("closeUser", { params: { email }, body: { closed: true } });
    expect(await list({ filter: "closed" })).toMatchObject({
      customers: [{ name: "Carla Ito", closed: true }],
      counts: { all: 3, closed: 1 },
    });
    await admin.call("closeUser", { params: { email }, body: { closed: false } });
    const quiet = await register(store, "Quinn Quiet");
    const order = await placeFor(quiet, grinder as Product);
    await store.pool.query(
      "UPDATE shop.customer SET last_order_id = uuidv7(interval '-91 days') WHERE last_order_id = $1",
      [order.orderId],
    );
    expect((await list({ filter: "quiet" })).customers.map(({ name }) => name)).toEqual(["Quinn Quiet"]);
    await store.pool.query(
      "UPDATE shop.customer SET last_order_id = $1 WHERE last_order_id < uuidv7(interval '-90 days') AND orders > 0",
      [order.orderId],
    );
  });

  test("is exported as searched", async () => {
    const { body, headers } = await admin.send("exportCustomers", { query: { q: "lovell" } });
    expect(headers.get("content-disposition")).toContain('filename="customers-');
    const [heading, row, ...rest] = body.trimEnd().split("\r\n");
    expect(heading).toBe("name,email,orders,revenue,last_order_at,customer_since,closed_at");
    expect(row).toMatch(/^Ada Lovell,ada[^,]*,1,300\.00,\d{4}-[^,]+Z,\d{4}-[^,]+Z,$/);
    expect(rest).toEqual([]);
  });
});

describe("one customer", () => {
  test("has figures, months, orders, addresses, reviews and notes", async () => {
    const buyer = ada as SignedIn;
    await buyer.call("addAddress", { body: { name: "Depot", address: "Unit 6, Canal Yard" } });
    await buyer.call("addReview", { body: { rating: 5, description: "Good tools." } });
    await placeFor(buyer, saw as Product);
    const { _id: id } = (await named("Ada Lovell")) as { _id: string };
    await admin.call("addCustomerNote", { params: { id }, body: { text: "Dock 2 closes at 3 PM." } });
    const found = await admin.call("findCustomer", { params: { id }, query: { zone: "Europe/Berlin" } });
    expect(found).toMatchObject({
      name: "Ada Lovell",
      orders: 2,
      revenue: 300,
      unpaid: { orders: 1, due: 200 },
      ordersToShip: 1,
      refunded: 25,
      addresses: [{ name: "Depot" }],
      reviews: [{ description: "Good tools.", hidden: false }],
      notes: [{ text: "Dock 2 closes at 3 PM.", mine: true, author: expect.any(String) }],
    });
    expect(found.months).toHaveLength(12);
    expect(found.months.at(-1)).toMatchObject({ revenue: 300, orders: 1 });
    expect(found.latestOrders.map(({ lineCount }) => lineCount)).toEqual([1, 2]);
    expect(
      (await admin.send("findCustomer", { params: { id }, query: { zone: "Nowhere/There" } })).status,
    ).toBe(422);
    const missing = await admin.send("findCustomer", { params: { id: crypto.randomUUID() } });
    expect(missing).toMatchObject({ status: 404, body: { detail: "This customer does not exist." } });
  });
});

describe("notes", () => {
  test("are for admins; only the author deletes one; the audit log has them without their text", async () => {
    const purchase = await placeFor(bob as SignedIn, grinder as Product);
    const params = { id: purchase._id };
    const text = `Call before delivery ${crypto.randomUUID()}`;
    const note = await admin.call("addOrderNote", { params, body: { text } });
    expect(await admin.call("listOrderNotes", { params: { id: purchase.orderId } })).toMatchObject({
      notes: [note],
    });
    const buyer = bob as SignedIn;
    const exported = JSON.stringify([
      await buyer.call("downloadData", {}),
      await buyer.call("findOrderDetails", { params: { id: purchase.orderId } }),
      await buyer.call("findOrder", { params }),
    ]);
    expect(exported).not.toContain(text);
    const colleague = await register(store, "Colleague");
    await admin.call("makeAdmin", { params: { email: colleague.email }, body: { confirmUnconfirmed: true } });
    const refused = await colleague.send("deleteNote", { params: { id: note._id } });
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: "A note can be deleted by its author only." },
    });
    expect((await colleague.call("listOrderNotes", { params })).notes).toMatchObject([
      { mine: false, author: admin.name },
    ]);
    expect(await admin.call("deleteNote", { params: { id: note._id } })).toEqual({ deletedCount: 1 });
    expect((await admin.send("deleteNote", { params: { id: note._id } })).status).toBe(404);
    const { events } = await admin.call("listHistory", { query: { subject: "note" } });
    expect(events.filter(({ subjectId }) => subjectId === note._id)).toMatchObject(
      ["deleted", "added"].map((what) => ({
        what,
        who: { email: admin.email },
        about: expect.stringMatching(/^Order \d+$/),
      })),
    );
    expect(JSON.stringify(events)).not.toContain(text);
    expect((await admin.send("addOrderNote", { params, body: { text: "  " } })).body.fields).toEqual({
      text: "Enter a note.",
    });
  });

  test("are at most 500 about an order, and about a customer", async () => {
    const cora = await register(store, "Cora Full");
    const { orderId } = await placeFor(cora, grinder as Product);
    const { _id: customerId } = (await named("Cora Full")) as { _id: string };
    const { rows } = await store.pool.query<{ id: string }>(
      `INSERT INTO shop.note (order_id, customer_id, author_id, text)
       SELECT order_id, customer_id, shop.user.id, 'Note ' || n
       FROM shop.user, (VALUES ($2::uuid, NULL::uuid), (NULL, $3::uuid)) AS about (order_id, customer_id),
         generate_series(1, 500) AS n
       WHERE email = $1 RETURNING shop.note.id`,
      [admin.email, orderId, customerId],
    );
    const body = { text: "One more" };
    for (const [name, id] of [
      ["addOrderNote", orderId],
      ["addCustomerNote", customerId],
    ] as const)
      expect(await admin.send(name, { params: { id }, body })).toMatchObject({
        status: 409,
        body: { detail: "There are 500 notes already. Delete one of yours first." },
      });
    const { notes } = await admin.call("listOrderNotes", { params: { id: orderId } });
    expect(notes).toHaveLength(500);
    await admin.call("deleteNote", { params: { id: notes[0]?._id ?? "" } });
    await admin.call("addOrderNote", { params: { id: orderId }, body });
    await store.pool.query("DELETE FROM shop.note WHERE id = ANY ($1)", [rows.map(({ id }) => id)]);
  });

  test("are deleted with the customer's account", async () => {
    const leaver = await register(store, "Lea Leaver");
    const order = await placeFor(leaver, grinder as Product);
    await payFor(store, leaver, order);
    const { _id: id } = (await named("Lea Leaver")) as { _id: string };
    await admin.call("addCustomerNote", { params: { id }, body: { text: "About Lea" } });
    await admin.call("addOrderNote", { params: { id: order._id }, body: { text: "About her order" } });
    await leaver.call("deleteAccount", { params: { email: leaver.email } });
    expect((await store.pool.query("SELECT FROM shop.note WHERE text LIKE 'About%'")).rowCount).toBe(0);
    expect((await admin.send("addCustomerNote", { params: { id }, body: { text: "Late" } })).status).toBe(
      404,
    );
    const detail = "The account of this customer was deleted. Its paid orders are kept.";
    expect(await admin.send("findCustomer", { params: { id } })).toMatchObject({
      status: 404,
      body: { detail },
    });
    expect((await list({ q: "Deleted account" })).customers).toEqual([]);
    await expectFiguresToAgree();
  });
});
