/** Invoices and credit notes as issued, and the PDF documents of an order over HTTP. */
import { get } from "node:http";
import { Worker } from "node:worker_threads";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findPackingSlip } from "../../shop/documents/find-documents.ts";
import { reconcile } from "../../shop/reconciliation/check.ts";
import { isRefusal } from "../../shop/refusal.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { replyOf } from "../harness/client.ts";
import { addProduct, payFor, payOrder, placeFor, placeOrderFor } from "../harness/orders.ts";
import { shopOf, userRow } from "../harness/shop.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let stranger: SignedIn;
beforeAll(async () => {
  store = await openStore({
    environment: { SELLER_NAME: "Harrow Tools", SELLER_ADDRESS: "1 Dock Road; Harrow" },
  });
  admin = await adminOf(store);
  buyer = await register(store, "Ingrid Halloran");
  stranger = await register(store, "Some Stranger");
});
afterAll(() => store.stop());

/** Where a browser without a session is redirected from a link. */
function redirectOf(href: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get(store.url + href, { headers: { accept: "text/html" } }, (response) => {
      response.resume();
      resolve(response.headers.location);
    }).on("error", reject);
  });
}

async function read(user: SignedIn, href: string) {
  const response = await user.fetch(href);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const data = new Uint8Array(await response.arrayBuffer());
  const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(1);
  const { items } = await page.getTextContent();
  return {
    text: items.map((item) => ("str" in item ? item.str : "")).join(" "),
    width: page.view[2],
    fileName: /filename="(.*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1],
  };
}

test("an order has its confirmation, invoices, packing slips and credit notes", async () => {
  const order = await placeOrderFor(
    buyer,
    [
      [await addProduct(admin, { name: "Drill driver" }), 20],
      [await addProduct(admin, { name: "Angle grinder", price: 76.5 }), 10],
    ],
    { poNumber: "HFO-4471", note: "Dock 2, call first" },
  );
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const [first, second] = order.lines.map(({ _id }) => _id) as [string, string];
  await admin.call("refundPurchase", {
    params: { id: second },
    body: { amount: 76.5, reason: "Housing cracked in transit." },
  });
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: { lines: [{ purchaseId: first, quantity: 15 }], carrier: "Kestrel Freight" },
  });
  const { documents } = await buyer.call("findOrderDetails", { params: { id: order._id } });
  expect(documents.map(({ kind }) => kind).sort()).toEqual([
    "creditNote",
    "invoice",
    "orderConfirmation",
    "packingSlip",
  ]);
  const hrefOf = (kind: string) => documents.find((one) => one.kind === kind)?.href ?? "";

  const confirmation = await read(buyer, hrefOf("orderConfirmation"));
  expect(confirmation.text).toContain("$1,015.00");
  expect(confirmation.text).toContain("Dock 2, call first");
  expect(confirmation.fileName).toBe(`stator-order-confirmation-${order.number}.pdf`);

  const invoice = await read(admin, `${hrefOf("invoice")}&paper=letter`);
  expect(invoice.fileName).toMatch(/^stator-invoice-INV-100\d\d\.pdf$/);
  expect(invoice.width).toBe(612);
  for (const part of [
    "Harrow Tools",
    "1 Dock Road",
    "HFO-4471",
    "Drill driver",
    "$250.00",
    "$1,015.00",
    "Test payment",
  ])
    expect(invoice.text).toContain(part);

  const slip = await read(buyer, hrefOf("packingSlip"));
  expect(slip.text).toContain("15 pieces");
  expect(slip.text).toContain("Kestrel Freight");
  expect(slip.text).not.toContain("$");

  const note = await read(buyer, hrefOf("creditNote"));
  for (const part of ["$76.50", "-$76.50", "$1,015.00", "Housing cracked in transit."])
    expect(note.text).toContain(part);

  for (const { href } of documents) {
    expect((await stranger.fetch(href)).status).toBe(403);
    expect((await fetch(store.url + href)).status).toBe(401);
    expect(await redirectOf(href)).toBe(`/login?from=${encodeURIComponent(href)}`);
  }
  expect(await replyOf(await buyer.fetch(`${hrefOf("orderConfirmation")}?paper=a5`))).toMatchObject({
    status: 422,
    body: { fields: { paper: "Paper is a4 or letter." } },
  });
  // the first invoice in place of the second
  const misspelt = await replyOf(await buyer.fetch(`${hrefOf("invoice")}&nummer=2`));
  expect([misspelt.status, Object.keys(misspelt.body.fields)]).toEqual([422, ["nummer"]]);
  const notNumbered = await replyOf(await buyer.fetch(`${hrefOf("orderConfirmation")}?number=2`));
  expect([notNumbered.status, Object.keys(notNumbered.body.fields)]).toEqual([422, ["number"]]);
});

test("nothing follows of a line that was refunded instead of shipped", async () => {
  const order = await placeOrderFor(buyer, [
    [await addProduct(admin), 20],
    [await addProduct(admin), 10],
    [await addProduct(admin), 10],
  ]);
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  const [first, second, third] = order.lines.map(({ _id }) => _id) as [string, string, string];
  const lines = [
    { purchaseId: first, quantity: 15 },
    { purchaseId: second, quantity: 4 },
  ];
  const { _id: shipment } = await admin.call("shipOrder", { params: { id: order._id }, body: { lines } });
  for (const id of [second, third])
    await admin.call("refundPurchase", { params: { id }, body: { reason: "Out of production." } });
  const slip = await findPackingSlip(shopOf(store), shipment, await userRow(store, buyer));
  expect(isRefusal(slip) || slip.rows.map(({ cells }) => cells.slice(3, 6))).toEqual([
    ["20", "15", "5"],
    ["10", "4", "none"],
    ["10", "0", "none"],
  ]);
});

test("with a hundred documents waiting, further ones are refused for a moment", async () => {
  const { orderId } = await placeFor(buyer, await addProduct(admin));
  const post = Worker.prototype.postMessage;
  const sent = Promise.withResolvers<() => void>();
  const spy = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function (this: Worker, ...given) {
    sent.resolve(() => post.apply(this, given));
  });
  const requests = Array.from({ length: 101 }, () => buyer.fetch(`/orders/${orderId}/confirmation.pdf`));
  const send = await sent.promise;
  const refused = await Promise.race(requests);
  spy.mockRestore();
  send();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ detail: refusals.serverBusy });
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(100).fill(200), 503]);
});

test("a cancelled order has no documents", async () => {
  const { orderId } = await placeFor(buyer, await addProduct(admin));
  await buyer.call("cancelOrder", { params: { id: orderId } });
  expect((await buyer.call("findOrderDetails", { params: { id: orderId } })).documents).toEqual([]);
  expect((await buyer.fetch(`/orders/${orderId}/confirmation.pdf`)).status).toBe(404);
});

test("an unpaid order has no invoice", async () => {
  const { orderId } = await placeFor(buyer, await addProduct(admin));
  expect((await buyer.fetch(`/orders/${orderId}/invoice.pdf`)).status).toBe(404);
  expect((await buyer.fetch("/orders/1/invoice.pdf")).status).toBe(404);
  expect((await buyer.fetch("/orders/nothing/invoice.pdf")).status).toBe(422);
});

test("invoices of payments at once have no gaps, and one payment of two orders has two", async () => {
  const product = await addProduct(admin, { quantity: 10_000 });
  const purchases = await Promise.all(Array.from({ length: 8 }, () => placeFor(buyer, product)));
  await Promise.all(purchases.map((purchase) => payFor(store, buyer, purchase)));
  const [one, two] = [await placeFor(buyer, product), await placeFor(buyer, product)];
  await payOrder(store, buyer, one._id, { total: one.total + two.total, purchaseIds: [one._id, two._id] });
  const { rows } = await store.pool.query<{ number: number; orders: number }>(
    "SELECT number, (SELECT count(DISTINCT order_id) FROM shop.invoice)::integer AS orders FROM shop.invoice ORDER BY number",
  );
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => 10_001 + index));
  expect(rows[0]?.orders).toBe(rows.length);
  expect((await reconcile(shopOf(store), { days: 1, recheckAfterMs: 0 })).faults).toEqual([]);
});

test("the invoices and credit notes of a period are exported, with the dates that they show", async () => {
  const mo = await register(store, "=Mo Month");
  const purchase = await placeFor(mo, await addProduct(admin));
  await payFor(store, mo, purchase);
  const { number } = await mo.call("findOrderDetails", { params: { id: purchase.orderId } });
  const refund = { amount: 12.5, reason: "One was missing." };
  await admin.call("refundPurchase", { params: { id: purchase._id }, body: refund });
  const today = new Date().toISOString().slice(0, 10);
  const read = async (query: { from?: string; to?: string }) => {
    const { status, body } = await admin.send("exportDocuments", { query });
    expect(status).toBe(200);
    return String(body).trimEnd().split("\r\n");
  };
  const [heading, ...rows] = await read({ from: today, to: today });
  expect(heading).toBe(
    "issued_at,document,for_invoice,order_number,po_number,buyer,email,invoiced,credited,payment_id,mode",
  );
  const [invoice = "", note = ""] = rows
    .filter((row) => row.includes(",'=Mo Month,"))
    .map((row) => row.slice(24));
  const issued = /INV-\d+/.exec(invoice)?.[0];
  const payment = /pi_\w+/.exec(invoice)?.[0];
  expect(invoice).toMatch(
    new RegExp(`^,${issued},,${number},,'=Mo Month,[^,]+,${purchase.total.toFixed(2)},,${payment},sandbox$`),
  );
  expect(note).toMatch(
    new RegExp(`^,CN-\\d+,${issued},${number},,'=Mo Month,[^,]+,,12.50,${payment},sandbox$`),
  );
  const { rows: sums } = await store.pool.query<{ cents: number }>(
    `SELECT sum(total_cents)::bigint AS cents FROM shop.invoice UNION ALL SELECT sum(amount_cents)::bigint FROM shop.credit_note`,
  );
  const sumOf = (column: number) => rows.reduce((sum, row) => sum + Number(row.split(",").at(column)), 0);
  expect([sumOf(-4), sumOf(-3)].map((sum) => Math.round(sum * 100))).toEqual(sums.map(({ cents }) => cents));
  expect(await read({ to: "2020-12-31" })).toEqual([heading]);
  expect(await read({ from: "2999-01-01" })).toEqual([heading]);
});

test("an issued document is never changed or deleted", async () => {
  for (const statement of [
    "UPDATE shop.invoice SET total_cents = 1",
    "DELETE FROM shop.invoice_line",
    "UPDATE shop.credit_note SET amount_cents = 1",
    "TRUNCATE shop.seller",
  ])
    await expect(store.pool.query(statement)).rejects.toThrow("only grows");
});

test("an invoice keeps its address after the account is deleted, for admins only", async () => {
  const leaver = await register(store, "Leaving Buyer");
  const purchase = await placeFor(leaver, await addProduct(admin));
  await payFor(store, leaver, purchase);
  await admin.call("shipPurchase", { params: { id: purchase._id } });
  const href = `/orders/${purchase.orderId}/invoice.pdf`;
  expect((await leaver.send("deleteAccount", { params: { email: leaver.email } })).status).toBe(200);
  expect((await read(admin, href)).text).toContain("Leaving Buyer");
  expect((await leaver.fetch(href)).status).toBe(401);
});
