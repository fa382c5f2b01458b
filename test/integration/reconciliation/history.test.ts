/** The audit log: written by every change, with actor and IP address; immutable. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addProduct,
  dropWebhooks,
  editProduct,
  payFor,
  placeFor,
  placeOrderFor,
} from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  // so that the buyer's page confirms the payment
  await dropWebhooks(store);
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(() => store.stop());

const history = async (query: object) =>
  (await admin.call("listHistory", { query: { limit: 100, ...query } })).events;

test("a purchase's changes are logged with actor, before, after and IP address", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  await payFor(store, buyer, purchase);
  await admin.call("shipPurchase", { params: { id: purchase._id } });
  await admin.call("refundPurchase", { params: { id: purchase._id }, body: { amount: 5, reason: "Late." } });
  const events = (await history({ purchaseId: purchase._id })).reverse();
  const emails = [buyer.email, admin.email];
  expect(events.map((event) => [event.subject, event.what, emails.indexOf(event.who?.email ?? "")])).toEqual(
    [
      ["purchase", "placed", 0],
      ["payment", "opened", 0],
      ["purchase", "paid", 0],
      ["payment", "succeeded", 0],
      ["purchase", "shipped", 1],
      ["refund", "asked", 1],
      ["refund", "done", 1],
    ].map(([subject, what, who]) => [subject, what, who]),
  );
  expect(events[2]).toMatchObject({
    before: { status: "unpaid" },
    after: { status: "paid" },
    ip: "127.0.0.1",
    agent: "node",
  });
});

test("an edit is logged with the changed values only", async () => {
  const product = await addProduct(admin);
  await editProduct(admin, product, { price: 13.75 });
  await admin.call("deleteProduct", { params: { id: product._id } });
  const events = (await history({ q: product._id })).reverse();
  expect(events.map(({ what }) => what)).toEqual(["added", "edited", "deleted"]);
  expect(events[1]).toMatchObject({
    before: { price_cents: 1250, version: 1 },
    after: { price_cents: 1375, version: 2 },
  });
  for (const { who, role } of events) expect([who?.email, role]).toEqual([admin.email, "admin"]);
});

test("a new admin is logged with who granted the role", async () => {
  const user = await register(store, "Future Admin");
  await admin.call("makeAdmin", { params: { email: user.email }, body: { confirmUnconfirmed: true } });
  await admin.call("makeAdmin", { params: { email: user.email }, body: { confirmUnconfirmed: true } });
  const events = await history({ q: user.email, subject: "user" });
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    who: { email: admin.email },
    before: { role: "user" },
    after: { role: "admin" },
  });
});

test("changes by the store itself have no user", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  await store.pool.query("UPDATE shop.purchase SET placed_at = now() - interval '1 year' WHERE id = $1", [
    purchase._id,
  ]);
  const { expireUnpaidPurchases } = await import("../../../shop/orders/expire.ts");
  await expireUnpaidPurchases({
    pool: store.pool,
    unpaidHoldHours: 168,
  } as never);
  const [event] = await history({ purchaseId: purchase._id });
  expect(event).toMatchObject({ what: "expired", role: "system" });
  expect(event?.who).toBeUndefined();
});

test("it is found by who, what, the tool, the order, and the reason", async () => {
  const tool = await addProduct(admin, { name: "Chasing hammer", itemNumber: "CH 4711" });
  const { email } = buyer;
  const purchase = await placeFor(buyer, tool);
  await admin.call("changeStock", {
    params: { id: tool._id },
    body: { kind: "correct", pieces: -2, reason: "Dropped in aisle 7" },
  });
  const eventsOf = async (q: string) => (await history({ q })).map(({ what }) => what);
  expect(await eventsOf("chasing")).toEqual(["stock corrected", "placed", "added"]);
  expect(await eventsOf(`placed ${email}`)).toContain("placed");
  expect(await eventsOf("aisle")).toEqual(["stock corrected"]);
  expect(await eventsOf("CH 4711 stock_")).toEqual([]);
  expect(await eventsOf("4711 corrected")).toEqual(["stock corrected"]);
  expect(await eventsOf(purchase._id)).toEqual(["placed"]);
});

test("a cancelled order is found by its number, to which the ledger of a tool links, and its PO number", async () => {
  const tool = await addProduct(admin, { name: "Called off" });
  const order = await placeOrderFor(buyer, [[tool, 20]], { poNumber: "PO-CALLED-OFF" });
  await admin.call("cancelOrder", { params: { id: order._id } });
  const { movements } = await admin.call("findStock", { params: { id: tool._id } });
  expect(movements[0]).toMatchObject({ kind: "cancelled", orderNumber: order.number });
  for (const q of [String(order.number), "po-called-off"])
    expect((await history({ q })).map(({ what }) => what)).toEqual(["cancelled", "placed"]);
});

test("a cancelled purchase is found by its buyer and its tool, also in one search", async () => {
  const tool = await addProduct(admin, { name: "Discontinued shear", itemNumber: "DS 9-1" });
  const other = await register(store, "Cancelling Buyer");
  const purchase = await placeFor(other, tool);
  await admin.call("cancelPurchase", { params: { id: purchase._id } });
  for (const q of [other.email, "discontinued", "DS 9-1", `${other.email} discontinued`])
    expect((await history({ q, subject: "purchase" })).map(({ what }) => what)).toEqual([
      "cancelled",
      "placed",
    ]);
});

test("it can be searched and paged", async () => {
  const all = await admin.call("listHistory", { query: { limit: 2 } });
  expect(all.events).toHaveLength(2);
  const next = await admin.call("listHistory", { query: { limit: 2, cursor: all.next } });
  expect(next.events[0]?._id).not.toBe(all.events[1]?._id);
  expect(await history({ q: "nothing like this" })).toEqual([]);
  expect((await admin.send("listHistory", { query: { cursor: "nonsense" } })).status).toBe(422);
  expect((await buyer.send("listHistory")).status).toBe(403);
});

test.each([
  "UPDATE shop.event SET what = 'nothing'",
  "DELETE FROM shop.event",
  "TRUNCATE shop.event",
  "UPDATE shop.stock_movement SET pieces = 1",
  "DELETE FROM shop.stock_movement",
])("the database refuses: %s", async (statement) => {
  await expect(store.pool.query(statement)).rejects.toThrow(/only grows/);
});

test("a role without more rights than the store's cannot change it even without the trigger", async () => {
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("CREATE ROLE plain_store; GRANT USAGE ON SCHEMA shop TO plain_store");
    await client.query(
      "ALTER TABLE shop.event OWNER TO plain_store; ALTER TABLE shop.event DISABLE TRIGGER only_grows",
    );
    await client.query("SET LOCAL ROLE plain_store");
    await expect(client.query("DELETE FROM shop.event")).rejects.toThrow(/permission denied/);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("it has no personal detail of a buyer, so an account can be deleted", async () => {
  const purchase = await placeFor(buyer, await addProduct(admin));
  const { rows } = await store.pool.query("SELECT * FROM shop.event WHERE purchase_id = $1", [purchase._id]);
  const text = JSON.stringify(rows);
  for (const detail of [buyer.email, buyer.name, purchase.address]) expect(text).not.toContain(detail);
});
