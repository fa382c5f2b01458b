/** Deliveries, counts, corrections and reorder points, through the calls, on a real database. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { lowStockEmail, queueLowStockEmails } from "../../../shop/stock/low-stock-email.ts";
import { findStock } from "../../../shop/stock/queries.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { addProduct, placeFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyers: SignedIn[];
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyers = await Promise.all(Array.from({ length: 8 }, (_, index) => register(store, `Buyer ${index}`)));
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

const change = ({ _id }: Product, body: object) => admin.send("changeStock", { params: { id: _id }, body });
const ledgerOf = ({ _id }: Product, query = {}) => admin.call("findStock", { params: { id: _id }, query });

test("the days of the stock are those of UTC, whatever the time zone of the database", async () => {
  const { _id } = await addProduct(admin, { quantity: 7 });
  const client = await store.pool.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today");
    for (const zone of ["America/Lima", "Asia/Tokyo"]) {
      await client.query(`SET LOCAL timezone = '${zone}'`);
      const stock = await findStock({ ...shopOf(store), pool: client }, _id, { limit: 1 });
      expect(stock).toMatchObject({ days: [{ day: rows[0].today, quantity: 7 }] });
    }
  } finally {
    client.release(true);
  }
});

test("the days of the stock are those of a given time zone", async () => {
  const { _id } = await addProduct(admin, { quantity: 7 });
  const { movements } = await ledgerOf({ _id } as Product);
  const at = Temporal.Instant.from(movements[0]?.at ?? "");
  // 25 hours apart: never the same day
  for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const day = at.toZonedDateTimeISO(zone).toPlainDate().toString();
    expect(await ledgerOf({ _id } as Product, { zone })).toMatchObject({ days: [{ day, quantity: 7 }] });
  }
});

describe("a movement", () => {
  test("of each kind is in the ledger with actor, reason and the stock after it", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await placeFor(buyers[0] as SignedIn, product, 30);
    expect(
      (await change(product, { kind: "receive", pieces: 40, reason: " Works order 7724 " })).body,
    ).toEqual({
      quantity: 110,
    });
    expect((await change(product, { kind: "count", pieces: 108 })).body).toEqual({ quantity: 108 });
    expect((await change(product, { kind: "correct", pieces: -8, reason: "Water damage" })).body).toEqual({
      quantity: 100,
    });
    const { movements, quantity, promised, days } = await ledgerOf(product);
    expect({ quantity, promised, days: days.map((day) => day.quantity) }).toEqual({
      quantity: 100,
      promised: 30,
      days: [100],
    });
    expect(movements.map((one) => [one.kind, one.pieces, one.quantity, one.reason, one.by])).toEqual([
      ["corrected", -8, 100, "Water damage", admin.name],
      ["counted", -2, 108, undefined, admin.name],
      ["received", 40, 110, "Works order 7724", admin.name],
      ["sold", -30, 70, undefined, undefined],
      ["received", 100, 100, undefined, undefined],
    ]);
    expect(movements[3]?.orderNumber).toBeGreaterThan(0);
  });

  test("is refused if an admin has changed the stock since the ledger was seen, but not after orders", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await change(product, { kind: "count", pieces: 100 });
    const { movements, newestMovement: seen } = await ledgerOf(product);
    expect(seen).toBe(movements[0]?._id);
    const laterPage = await ledgerOf(product, { cursor: seen });
    expect(laterPage).toMatchObject({ newestMovement: seen, movements: movements.slice(1) });
    await placeFor(buyers[0] as SignedIn, product, 30);
    const bodies = ["Works order 7724", "WO 7724"].map((reason) => ({
      kind: "receive",
      pieces: 40,
      reason,
      seenMovement: seen,
    }));
    const replies = await Promise.all(bodies.map((body) => change(product, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await ledgerOf(product)).quantity).toBe(110);
  });

  test("that is a count is refused also after an order, since the pieces may have been on the shelf", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    const { newestMovement: seenMovement } = await ledgerOf(product);
    await placeFor(buyers[0] as SignedIn, product, 30);
    const refused = await change(product, { kind: "count", pieces: 98, seenMovement });
    expect([refused.status, refused.body.detail]).toEqual([409, refusals.stockChanged]);
    const { quantity, newestMovement } = await ledgerOf(product);
    expect(quantity).toBe(70);
    const counted = await change(product, { kind: "count", pieces: 68, seenMovement: newestMovement });
    expect(counted.body).toEqual({ quantity: 68 });
  });

  test("is in the audit log with before and after", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await change(product, { kind: "count", pieces: 90, reason: "Yearly count" });
    const { events } = await admin.call("listHistory", { query: { q: "Yearly count" } });
    expect(events[0]).toMatchObject({
      what: "stock counted",
      subjectId: product._id,
      who: { email: admin.email },
      before: { quantity: 100 },
      after: { quantity: 90, reason: "Yearly count" },
    });
  });

  test("is recorded also without a difference", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await change(product, { kind: "count", pieces: 100 });
    expect((await ledgerOf(product)).movements[0]).toMatchObject({
      kind: "counted",
      pieces: 0,
      quantity: 100,
    });
  });

  test.each([
    [{ kind: "give", pieces: 1 }, { kind: "Choose receive, count or correct." }],
    [{ kind: "receive", pieces: 0 }, { pieces: "Enter 1 or more." }],
    [{ kind: "receive", pieces: 1.5 }, { pieces: "Enter a whole number." }],
    [{ kind: "count", pieces: -1 }, { pieces: "Enter 0 or more." }],
    [{ kind: "count", pieces: 1_000_001 }, { pieces: "Enter 1000000 or less." }],
    [{ kind: "correct", pieces: 0, reason: "x" }, { pieces: "Enter how many pieces to add or remove." }],
    [{ kind: "correct", pieces: -1, reason: "  " }, { reason: "A value is required." }],
    [
      { kind: "correct", pieces: -11, reason: "Broken" },
      { pieces: "Only 10 pieces are in stock. Remove at most that many." },
    ],
    [{ kind: "receive", pieces: 1_000_000 }, { pieces: "Enter 999990 or less." }],
    [{ kind: "receive", pieces: 1, reason: "x".repeat(201) }, { reason: "Use at most 200 characters." }],
  ])("%j is refused, naming the field", async (body, fields) => {
    const product = await addProduct(admin, { quantity: 10 });
    const reply = await change(product, body);
    expect({ status: reply.status, fields: reply.body.fields }).toEqual({ status: 422, fields });
    expect((await ledgerOf(product)).quantity).toBe(10);
  });

  test("above the most of a product, which returned pieces may exceed, can still be corrected", async () => {
    const product = await addProduct(admin, { quantity: 10 });
    const purchase = await placeFor(buyers[0] as SignedIn, product, 10);
    await change(product, { kind: "count", pieces: 1_000_000 });
    await buyers[0]?.call("cancelPurchase", { params: { id: purchase._id } });
    const correction = { kind: "correct", pieces: -4, reason: "Broken" };
    expect((await change(product, correction)).body).toEqual({ quantity: 1_000_006 });
    expect((await change(product, { kind: "receive", pieces: 1 })).status).toBe(422);
  });

  test("of a tool that is no longer sold is refused", async () => {
    const product = await addProduct(admin);
    await admin.call("deleteProduct", { params: { id: product._id } });
    expect((await change(product, { kind: "receive", pieces: 1 })).status).toBe(404);
    const params = { id: product._id };
    expect((await admin.send("setReorderPoint", { params, body: { reorderPoint: 5 } })).status).toBe(404);
  });
});

describe("a ledger", () => {
  test("of an archived tool is still read", async () => {
    const product = await addProduct(admin, { quantity: 5 });
    expect((await ledgerOf(product)).archived).toBeUndefined();
    await admin.call("deleteProduct", { params: { id: product._id } });
    const { archived, movements, quantity } = await ledgerOf(product);
    expect({ archived, quantity, movements: movements.length }).toEqual({
      archived: true,
      quantity: 5,
      movements: 1,
    });
  });

  test("is read in pages, each with the stock after each movement", async () => {
    const product = await addProduct(admin, { quantity: 1 });
    for (let pieces = 1; pieces <= 7; pieces += 1) await change(product, { kind: "receive", pieces });
    const quantities: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await ledgerOf(product, { limit: 3, ...(cursor && { cursor }) });
      quantities.push(...page.movements.map(({ quantity }) => quantity));
      cursor = page.next;
    } while (cursor);
    expect(quantities).toEqual([29, 22, 16, 11, 7, 4, 2, 1]);
  });

  test("loses nothing when the stock is counted while 64 buyers order", async () => {
    const product = await addProduct(admin, { quantity: 1000, minimum_order: 10 });
    const body = { productId: product._id, purchaseQuantity: 10, address: "Unit 6" };
    const orders = Array.from({ length: 64 }, (_, index) =>
      (buyers[index % buyers.length] as SignedIn).send("placePurchase", { body }),
    );
    const counts = [500, 300, 200, 900].map((pieces) => change(product, { kind: "count", pieces }));
    const [placed, counted] = await Promise.all([Promise.all(orders), Promise.all(counts)]);
    expect(counted.every(({ status }) => status === 200)).toBe(true);
    const { movements, quantity } = await ledgerOf(product, { limit: 100 });
    expect(movements.filter(({ kind }) => kind === "sold")).toHaveLength(
      placed.filter(({ status }) => status === 200).length,
    );
    expect(movements[0]?.quantity).toBe(quantity);
    for (const [index, { kind, quantity: after }] of movements.entries()) {
      expect(after).toBe((movements[index + 1]?.quantity ?? 0) + (movements[index]?.pieces ?? 0));
      if (kind === "counted") expect([500, 300, 200, 900]).toContain(after);
    }
  });
});

describe("a reorder point", () => {
  test("lists the products below theirs first, and only them on request", async () => {
    const [short, wellStocked] = [
      await addProduct(admin, { quantity: 90 }),
      await addProduct(admin, { quantity: 10 }),
    ];
    for (const { _id: id } of [short, wellStocked])
      await admin.call("setReorderPoint", { params: { id }, body: { reorderPoint: 100 } });
    const { products, counts } = await admin.call("listStock", { query: { low: "1" } });
    expect(products.map(({ _id, reorderPoint }) => [_id, reorderPoint])).toEqual([
      [wellStocked._id, 100],
      [short._id, 100],
    ]);
    expect(counts.low).toBe(2);
    expect((await admin.call("listStock", { query: { limit: 1 } })).products[0]?._id).toBe(wellStocked._id);
  });

  test("sends one email to each admin when the list has changed, at most once a day", async () => {
    const sendAndCountRecent = async () => {
      await queueLowStockEmails(store);
      const { rows } = await store.pool.query<{ count: number }>(
        "SELECT count(*) FROM shop.low_stock_report WHERE sent_at > now() - interval '1 hour'",
      );
      return rows[0]?.count;
    };
    const product = await addProduct(admin, { quantity: 1 });
    await admin.call("setReorderPoint", { params: { id: product._id }, body: { reorderPoint: 2 } });
    expect(await sendAndCountRecent()).toBe(1);
    const subjects = async () =>
      (await admin.call("listEmails", { query: {} })).mails
        .filter(({ subject }) => subject.includes("reorder point"))
        .map(({ to }) => to);
    await expect.poll(subjects, { timeout: 10_000 }).toEqual([admin.email]);
    const other = await addProduct(admin, { quantity: 1 });
    await admin.call("setReorderPoint", { params: { id: other._id }, body: { reorderPoint: 2 } });
    await store.pool.query("UPDATE shop.low_stock_report SET sent_at = now() - interval '23 hours'");
    expect(await sendAndCountRecent()).toBe(0);
    await store.pool.query("UPDATE shop.low_stock_report SET sent_at = now() - interval '25 hours'");
    expect(await sendAndCountRecent()).toBe(1);
    await expect.poll(subjects, { timeout: 10_000 }).toEqual([admin.email, admin.email]);
    await store.pool.query("UPDATE shop.low_stock_report SET sent_at = now() - interval '25 hours'");
    expect(await sendAndCountRecent()).toBe(0);
    // from before the clock was set back
    await store.pool.query("UPDATE shop.low_stock_report SET sent_at = now() + interval '1 year'");
    await admin.call("deleteProduct", { params: { id: other._id } });
    expect(await sendAndCountRecent()).toBe(1);
    await expect.poll(subjects, { timeout: 10_000 }).toHaveLength(3);
  });

  test("does not put a link in a name into its email", async () => {
    const product = await addProduct(admin, { quantity: 1 });
    await admin.call("setReorderPoint", { params: { id: product._id }, body: { reorderPoint: 2 } });
    const { rows } = await store.pool.query<{ id: string }>(
      "UPDATE shop.user SET name = 'Win at www.win.example' WHERE email = $1 RETURNING id",
      [admin.email],
    );
    const job = { mail: "lowStock", userId: rows[0]?.id ?? "" } as const;
    const email = await lowStockEmail(shopOf(store), { publicUrl: store.url, sender: ["Stator"] }, job);
    expect(email?.text).toContain("Hello,");
    expect(email?.text).not.toContain("win.example");
  });
});
