import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Order } from "../../../api/entities.ts";
import { clientOf } from "../../harness/client.ts";
import { addProduct, payOrder, placeOrderFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let order: Order;
const FORMULA = '=HYPERLINK("https://evil.example";"Order")';

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada Buyer");
  const grinder = await addProduct(admin, {
    name: FORMULA,
    itemNumber: "-1+1",
    price: 12.5,
    quantity: 100_000,
  });
  const saw = await addProduct(admin, {
    name: "Saw, circular",
    itemNumber: "CS 1",
    price: 20,
    quantity: 100_000,
  });
  const lines = [grinder, saw].map((product): [typeof product, number] => [product, 10]);
  order = await placeOrderFor(buyer, lines, { poNumber: "@PO" });
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const [first] = order.lines;
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: {
      lines: [{ purchaseId: first?._id ?? "", quantity: 4 }],
      carrier: "UPS",
      trackingNumber: "1Z 999",
    },
  });
  await placeOrderFor(buyer, [[saw, 10]], { poNumber: "later" });
});
afterAll(() => store.stop());

async function exported(query: Record<string, string> = {}): Promise<string[]> {
  const { status, body, headers } = await admin.send("exportPurchases", { query });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/);
  expect(body.endsWith("\r\n")).toBe(true);
  return body.trimEnd().split("\r\n");
}

test("GET /orders/export.csv has the lines of the caller's own orders, in the list's filter", async () => {
  const other = await register(store, "Bea Other");
  const exportedBy = async (who: SignedIn, query: Record<string, string> = {}) => {
    const { status, body } = await who.send("exportOrders", { query });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.trimEnd().split("\r\n");
  };
  const [heading, later, ...rows] = await exportedBy(buyer);
  expect(heading).toBe(
    "order_number,po_number,placed_at,line,item_number,product,quantity,shipped,price,total,refunded," +
      "status,paid_at,shipped_at,carriers,tracking_numbers,invoice",
  );
  expect(later).toMatch(/,later,.*,1,CS 1,"Saw, circular",10,0,20\.00,200\.00,0\.00,unpaid,,,,,$/);
  const { lines, documents } = await buyer.call("findOrderDetails", { params: { id: order._id } });
  const [paidAt, invoice] = [lines[0]?.paidAt, documents.find(({ kind }) => kind === "invoice")?.number];
  const start = `${order.number},'@PO,${order.placedAt}`;
  expect(rows).toEqual([
    `${start},1,'-1+1,"'${FORMULA.replaceAll('"', '""')}",10,4,12.50,125.00,0.00,paid,${paidAt},,UPS,1Z 999,${invoice}`,
    `${start},2,CS 1,"Saw, circular",10,0,20.00,200.00,0.00,paid,${paidAt},,,,${invoice}`,
  ]);
  expect(await exportedBy(buyer, { status: "unpaid" })).toEqual([heading, later]);
  expect(await exportedBy(buyer, { q: "nothing" })).toEqual([heading]);
  // not those of another buyer, whatever is searched, nor all of them for an admin
  for (const who of [other, admin])
    for (const query of [{}, { q: String(order.number) }, { q: "1Z 999" }])
      expect(await exportedBy(who, query)).toEqual([heading]);
  expect((await buyer.send("exportOrders", { query: { mine: "false" } })).status).toBe(422);
});

describe("GET /admin/orders/export.csv", () => {
  test("has one row per order line, with its shipments; formulas are harmless", async () => {
    const [heading, , ...rows] = await exported();
    expect(heading).toBe(
      "order_number,po_number,placed_at,buyer,email,line,item_number,product,quantity,shipped,price,total,refunded," +
        "status,paid_at,shipped_at,carriers,tracking_numbers",
    );
    const paidAt = (await admin.call("findOrderDetails", { params: { id: order._id } })).lines[0]?.paidAt;
    const start = `${order.number},'@PO,${order.placedAt},Ada Buyer,${buyer.email}`;
    expect(rows).toEqual([
      `${start},2,CS 1,"Saw, circular",10,0,20.00,200.00,0.00,paid,${paidAt},,,`,
      `${start},1,'-1+1,"'${FORMULA.replaceAll('"', '""')}",10,4,12.50,125.00,0.00,paid,${paidAt},,UPS,1Z 999`,
    ]);
  });

  test("has the rows of the list with the same filters", async () => {
    for (const query of [{ status: "unpaid" }, { q: "saw" }, { q: "1Z", sort: "oldest" }, { q: "nothing" }]) {
      const [, ...rows] = await exported(query);
      const { orders } = await admin.call("searchPurchases", { query } as never);
      expect(rows.map((row) => /[\dZ],(\d+),('-1\+1|CS 1)/.exec(row)?.[0])).toHaveLength(orders.length);
      const quantities = orders.map(({ itemNumber }) => itemNumber);
      expect(rows.map((row) => (row.includes("CS 1") ? "CS 1" : "-1+1"))).toEqual(quantities);
    }
    expect((await exported({ bom: "true" }))[0]).toMatch(/^order_number/);
    expect((await admin.send("exportPurchases", { query: { sort: "waiting" } })).status).toBe(422);
  });

  test("leaves out the columns that are not chosen", async () => {
    const rest = "order_number,line,item_number,product,status,paid_at,shipped_at,carriers,tracking_numbers";
    expect((await exported({ columns: "none" }))[0]).toBe(rest);
    expect((await exported({ columns: "total,po" }))[0]).toBe(
      rest.replace(",line", ",po_number,line").replace(",status", ",price,total,refunded,status"),
    );
    const [, , row] = await exported({ columns: "buyer,quantity" });
    expect(row).toMatch(`${order.number},Ada Buyer,${buyer.email},2,CS 1,"Saw, circular",10,0,paid,`);
    expect(await admin.send("exportPurchases", { query: { columns: "buyer,margin" } })).toMatchObject({
      status: 422,
      body: { fields: { columns: expect.stringContaining("buyer, po, placed") } },
    });
  });

  test("begins with a byte order mark on request", async () => {
    const response = await admin.fetch("/admin/orders/export.csv?bom=true");
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test("is downloaded by following a link with an admin's session, from the store's own pages", async () => {
    const from = (site: string) => ({ headers: { "sec-fetch-site": site } });
    const path = "/admin/orders/export.csv";
    const bySession = (user: SignedIn) => clientOf(store, { cookie: user.cookie });
    expect((await bySession(admin).fetch(path, from("same-origin"))).status).toBe(200);
    expect((await bySession(buyer).fetch(path, from("same-origin"))).status).toBe(403);
    expect((await bySession(admin).fetch(path, from("cross-site"))).status).toBe(403);
    const signedOut = await new Promise<string | undefined>((resolve, reject) => {
      get(store.url + path, { headers: { accept: "text/html" } }, (response) => {
        response.resume();
        resolve(response.headers.location);
      }).on("error", reject);
    });
    expect(signedOut).toBe("/login?from=%2Fadmin%2Forders%2Fexport.csv");
  });

  test("streams lists longer than one batch", async () => {
    await store.pool.query(
      `WITH placed AS (
         INSERT INTO shop.order (user_id, po_number) SELECT user_id, 'bulk' FROM shop.order, generate_series(1, 2500)
         WHERE number = $1 RETURNING id, user_id
       )
       INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
         quantity, price_cents)
       SELECT placed.id, 1, placed.user_id, product_id, name, email, address, product_name, picture, 10, 1250
       FROM placed, (SELECT * FROM shop.purchase WHERE order_id = $2 LIMIT 1) AS line`,
      [order.number, order._id],
    );
    const numbers = (await exported()).slice(1).map((row) => row.split(",", 1)[0]);
    expect(numbers).toHaveLength(2503);
    expect(new Set(numbers).size).toBe(2502);
  });
});
