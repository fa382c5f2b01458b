import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallName } from "../../../api/contract.ts";
import type { Purchase } from "../../../api/entities.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { clientOf, type Parts } from "../../harness/client.ts";
import { addProduct, payFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let [ada, bob]: SignedIn[] = [];
let placed: Purchase[];
const TOOLS = ["Angle grinder", "Belt sander", "100% copper_wire cutter"];

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada Lovell");
  bob = await register(store, "Bob Nakamura");
  const tools = [];
  for (const [index, name] of TOOLS.entries())
    tools.push(await addProduct(admin, { name, itemNumber: `KX-${index + 1}00`, price: 10 * (index + 1) }));
  placed = [];
  for (let round = 0; round < 6; round += 1) {
    for (const tool of tools)
      placed.push(await placeFor(round % 2 ? (bob as SignedIn) : (ada as SignedIn), tool, 10 + round));
  }
  for (const index of [0, 1, 2]) await payFor(store, ada as SignedIn, placed[index] as Purchase);
  await admin.call("shipPurchase", { params: { id: placed[0]?._id ?? "" } });
});
afterAll(() => store.stop());

/** Every page of a search, following `next`; then back with `previous`, which must show the same. */
async function walk(query: Record<string, string | number>): Promise<Purchase[]> {
  const pages: Purchase[][] = [];
  let cursor: string | undefined;
  let back: string | undefined;
  do {
    const page = await admin.call("searchPurchases", {
      query: { limit: 4, ...query, ...(cursor && { cursor }) },
    });
    pages.push(page.orders);
    cursor = page.next;
    back = page.previous;
  } while (cursor);
  for (const before of pages.slice(0, -1).reverse()) {
    const page = await admin.call("searchPurchases", { query: { limit: 4, ...query, cursor: back ?? "" } });
    expect(page.orders).toEqual(before);
    back = page.previous;
  }
  expect(back).toBeUndefined();
  return pages.flat();
}

const idsOf = (orders: Purchase[]) => orders.map((order) => order._id);

describe("searching orders", () => {
  test("each word counts, also the sixth", async () => {
    const found = async (q: string) => (await admin.call("searchPurchases", { query: { q } })).orders.length;
    expect(await found("angle grinder kx-100 ada lovell le")).toBe(3);
    expect(await found("angle grinder kx-100 ada lovell nakamura")).toBe(0);
    const { products } = await admin.call("searchProducts", { query: { q: "a n g l e sander" } });
    expect(products).toEqual([]);
  });

  test("pages return all of them once, in both directions, in every sorting", async () => {
    const newest = idsOf(placed).reverse();
    expect(idsOf(await walk({}))).toEqual(newest);
    expect(idsOf(await walk({ sort: "oldest" }))).toEqual(newest.toReversed());
    const totals = (await walk({ sort: "total" })).map((order) => order.total);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    expect(totals).toHaveLength(placed.length);
  });

  test("counts every status, whichever is selected", async () => {
    const counts = { all: 18, unpaid: 15, paid: 2, shipped: 1, refunded: 0 };
    expect(await admin.call("searchPurchases", {})).toMatchObject({ counts, toShip: 2 });
    const paid = await admin.call("searchPurchases", { query: { status: "paid" } });
    expect(paid.counts).toEqual(counts);
    expect(paid.orders.map((order) => order.status)).toEqual(["paid", "paid"]);
  });

  test.each([
    ["a buyer's name, whatever its case", "lOVELL", 9],
    ["a part of an e-mail", "nakamura.", 9],
    ["a tool", "belt", 6],
    ["an item number", "kx-200", 6],
    ["words of both, in any order", "sander lovell", 3],
    ["what LIKE would take for a pattern, as it is", "100% copper_wire", 6],
    ["a pattern's own signs", "%", 6],
    ["nothing that is there", "chainsaw", 0],
    ["a word of one letter", "ada 2", 3],
  ])("finds %s", async (_, q, amount) => {
    const { orders, counts } = await admin.call("searchPurchases", { query: { q } });
    expect(orders.length, JSON.stringify(orders.map((order) => order.productName))).toBeGreaterThanOrEqual(
      amount,
    );
    expect(counts.all).toBe(orders.length);
    if (q !== "ada 2") expect(orders).toHaveLength(amount);
  });

  test("finds a transaction id and an order id", async () => {
    const paid = (await admin.call("searchPurchases", { query: { status: "paid" } })).orders[0];
    for (const q of [paid?.transactionId ?? "none", paid?._id ?? "none"]) {
      const { orders } = await admin.call("searchPurchases", { query: { q } });
      expect(idsOf(orders)).toEqual([paid?._id]);
    }
  });

  test("does not count refunded orders as to be shipped, in any count", async () => {
    const buyer = ada as SignedIn;
    const whole = await placeFor(buyer, await addProduct(admin, { name: "Router" }));
    const goods = await placeFor(buyer, await addProduct(admin, { name: "Router" }));
    for (const order of [whole, goods]) await payFor(store, buyer, order);
    const reason = "As agreed.";
    await admin.call("refundPurchase", { params: { id: whole._id }, body: { reason, returnToStock: false } });
    await admin.call("refundPurchase", {
      params: { id: goods._id },
      body: { reason, amount: 1, returnToStock: true },
    });
    const { counts, toShip } = await admin.call("searchPurchases", {});
    expect([counts.paid, counts.refunded, toShip]).toEqual([2, 2, 2]);
    expect(counts.unpaid + counts.paid + counts.shipped + counts.refunded).toBe(counts.all);
    const { statuses, ...overview } = await admin.call("overview", {
      query: { period: "days", zone: "UTC" },
    });
    expect([statuses.paid, statuses.refunded, overview.toShip]).toEqual([2, 2, 2]);
    const paid = await admin.call("searchPurchases", { query: { status: "paid", q: "router" } });
    expect([paid.orders.length, paid.counts]).toEqual([
      0,
      { all: 2, unpaid: 0, paid: 0, shipped: 0, refunded: 2 },
    ]);
    const back = await admin.call("searchPurchases", { query: { status: "refunded" } });
    expect(idsOf(back.orders).sort()).toEqual([whole._id, goods._id].sort());
    expect(back.orders.find(({ _id }) => _id === goods._id)?.returned).toBe(true);
  });

  test("the longest waits come first, page by page, also within a millisecond", async () => {
    const saw = await addProduct(admin, { name: "Waiting saw" });
    const orders = [];
    for (let number = 0; number < 9; number += 1) {
      const order = await placeFor(ada as SignedIn, saw);
      await payFor(store, ada as SignedIn, order);
      orders.push(order._id);
    }
    // paid in another order than placed, a microsecond apart, two of them at once
    const waited = [5, 2, 8, 0, 0, 7, 1, 6, 3];
    await store.pool.query(
      `UPDATE shop.purchase SET paid_at = '2026-01-01T12:00:00.000001Z'::timestamptz + after * interval '1 microsecond'
       FROM unnest($1::uuid[], $2::int[]) AS given (id, after) WHERE purchase.id = given.id`,
      [orders, waited],
    );
    const inOrder = orders
      .map((id, index) => ({ id, after: waited[index] as number }))
      .sort((a, b) => a.after - b.after || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
    expect(idsOf(await walk({ status: "paid", sort: "waiting", q: "waiting saw" }))).toEqual(inOrder);
    const all = idsOf(await walk({ status: "paid", sort: "waiting" }));
    expect(all.slice(0, 9)).toEqual(inOrder);
    expect(all).toHaveLength(11);
    const { waiting } = await admin.call("overview", { query: { period: "days", zone: "UTC" } });
    expect(waiting.map(({ _id }) => _id)).toEqual(inOrder.slice(0, 5));
  });

  test("sorting by waiting time needs the status paid", async () => {
    for (const status of [undefined, "unpaid", "shipped", "refunded"] as const) {
      const query = { ...(status && { status }), sort: "waiting" as const };
      const { status: answered, body } = await admin.send("searchPurchases", { query });
      expect([answered, body.fields]).toEqual([422, { sort: refusals.onlyPaidWait }]);
    }
  });

  test("leaves out cancelled ones", async () => {
    const cancelled = await placeFor(bob as SignedIn, await addProduct(admin, { name: "Planer" }));
    await admin.call("cancelPurchase", { params: { id: cancelled._id } });
    expect((await admin.call("searchPurchases", { query: { q: "planer" } })).counts.all).toBe(0);
  });

  test.each(["nonsense", "next.x.y", `next.${"a".repeat(40)}.0`, `previous..${crypto.randomUUID()}`])(
    "refuses the cursor %s",
    async (cursor) => {
      const { status } = await admin.send("searchPurchases", { query: { cursor } });
      expect(status).toBe(422);
    },
  );
});

test("products are found by name, number and category, and low stock is below four minimum orders", async () => {
  await addProduct(admin, { name: "Lathe", minimum_order: 10, quantity: 39, category: "Turning" });
  await addProduct(admin, { name: "Big lathe", minimum_order: 10, quantity: 40, category: "Turning" });
  const turning = await admin.call("searchProducts", { query: { q: "turning", sort: "stock" } });
  expect(turning.products.map((product) => product.name)).toEqual(["Lathe", "Big lathe"]);
  expect(turning.counts).toEqual({ all: 2, low: 1 });
  const low = await admin.call("searchProducts", { query: { q: "turning", low: "1" } });
  expect(low.products.map((product) => product.name)).toEqual(["Lathe"]);
  const big = await admin.call("searchProducts", { query: { category: "Turning", q: "big", offset: 0 } });
  expect([big.products.map(({ name }) => name), big.counts.all]).toEqual([["Big lathe"], 1]);
  expect((await admin.call("searchProducts", { query: { category: "Turn" } })).counts.all).toBe(0);
});

test("products are filtered by the facets of the catalogue, whose counts come along", async () => {
  const offered = (given: Parameters<typeof addProduct>[1]) =>
    addProduct(admin, { category: "Facet drills", ...given });
  await offered({ name: "Facet one", powerSource: "Battery 18 V", price: 150, quantity: 600 });
  await offered({ name: "Facet two", powerSource: "Battery 36 V", price: 90, quantity: 4 });
  await offered({ name: "Facet three", powerSource: "Mains 230 V", price: 850, minimum_order: 60 });
  const found = async (query: Record<string, string | number>) => {
    const page = await admin.call("searchProducts", { query: { category: "Facet drills", ...query } });
    expect(page.counts[query.low ? "low" : "all"]).toBe(page.products.length);
    return page.products.map(({ name }) => name.replace("Facet ", ""));
  };
  expect(await found({ power: "Battery" })).toEqual(["one", "two"]);
  expect(await found({ voltage: 36 })).toEqual(["two"]);
  expect(await found({ price: 1 })).toEqual(["two"]);
  expect(await found({ price: 5 })).toEqual(["three"]);
  expect(await found({ minimum: 20 })).toEqual(["one", "two"]);
  expect(await found({ stock: "covers", q: "facet" })).toEqual(["one", "three"]);
  expect(await found({ stock: "over500", power: "Battery" })).toEqual(["one"]);
  expect(await found({ low: "1", power: "Battery" })).toEqual(["two"]);
  const { facets } = await admin.call("searchProducts", { query: { category: "Facet drills" } });
  expect(facets?.power).toEqual([
    { value: "Battery", tools: 2 },
    { value: "Mains", tools: 1 },
  ]);
});

test.each([
  ["Mains 220..240 V", 240],
  ["Mains 100...240 V, 50 Hz", 240],
  ["Battery 10.8 V", 10.8],
  ["Battery .5 V", 0.5],
  ["Battery 18. V", 18],
  ["Version 1.2.3 V", undefined],
])("the voltage of %s is %s", async (powerSource, voltage) => {
  const category = `Voltage of ${powerSource}`;
  await addProduct(admin, { category, powerSource });
  const { facets } = await admin.call("searchProducts", { query: { category } });
  expect(facets?.voltage.map(({ value }) => value)).toEqual(voltage === undefined ? [] : [voltage]);
  if (voltage === undefined) return;
  expect(
    (await admin.call("searchProducts", { query: { category, voltage, q: "voltage" } })).counts.all,
  ).toBe(1);
});

test("users are found by name and email, and admins counted", async () => {
  const { users, counts } = await admin.call("searchUsers", { query: { q: "naka" } });
  expect(users.map((user) => user.email)).toEqual([bob?.email]);
  expect(counts).toEqual({ all: 1, admin: 0 });
  const admins = await admin.call("searchUsers", { query: { role: "admin" } });
  expect(admins.users.map((user) => user.email)).toEqual([store.admin.email]);
});

test("found users and reviews are counted up to a thousand", async () => {
  await store.pool.query(
    `INSERT INTO shop.user (id, name, email)
     SELECT gen_random_uuid(), 'Crowd', 'crowd-' || n || '@crowd.example' FROM generate_series(1, 1001) AS n`,
  );
  await store.pool.query(
    `INSERT INTO shop.review (user_id, name, rating, description, hidden_at)
     SELECT id, name, 5, 'Good', now() FROM shop.user WHERE name = 'Crowd'`,
  );
  const users = await admin.call("searchUsers", { query: { q: "crowd" } });
  expect([users.counts, users.countLimit]).toEqual([{ all: 1000, admin: 0 }, 1000]);
  const byEmail = await admin.call("searchReviews", { query: { q: "crowd-77@ good" } });
  expect(byEmail.reviews).toMatchObject([{ email: "crowd-77@crowd.example" }]);
  const reviews = await admin.call("searchReviews", { query: { q: "crowd" } });
  expect([reviews.counts, reviews.countLimit]).toEqual([{ all: 1000, hidden: 1000 }, 1000]);
  const all = await admin.call("searchUsers", {});
  expect([all.counts.all > 1000, all.countLimit]).toEqual([true, undefined]);
});

describe("searching products", () => {
  beforeAll(async () => {
    await addProduct(admin, { name: "Wall chaser", itemNumber: "QW 125-14", category: "Masonry" });
    await addProduct(admin, { name: "Rotary cutter", itemNumber: "QW125-99" });
  });

  test.each([
    "QW12514",
    "qw-12514",
    "QW 1251-4",
    "q w 125 14",
    "QW 125-14",
    "chaser qw12514",
    "masonry 125-14",
  ])("finds an item number with spaces and dashes in any place: %s", async (q) => {
    const { products, counts } = await admin.call("searchProducts", { query: { q } });
    expect(products.map(({ itemNumber }) => itemNumber)).toEqual(["QW 125-14"]);
    expect(counts.all).toBe(1);
    const stock = await admin.call("listStock", { query: { q } });
    expect(stock.products.map(({ itemNumber }) => itemNumber)).toEqual(["QW 125-14"]);
  });

  test.each(["QW12515", "12.5", "cutter qw12514"])("does not find another tool by %s", async (q) => {
    expect((await admin.call("searchProducts", { query: { q } })).products).toEqual([]);
  });
});

describe("synonyms", () => {
  const found = async (q: string) =>
    (await clientOf(store).call("searchCatalogue", { query: { q } })).tools.map(({ name }) => name);

  test("an admin adds and removes them; searches follow at once, and the audit log has both", async () => {
    expect(await found("sparkler")).toEqual([]);
    const added = await admin.call("addSynonym", { body: { term: "Sparkler", sameAs: "angle grinder" } });
    expect(await found("sparkler")).toEqual(["Angle grinder"]);
    const listed = await admin.call("listSynonyms", { query: { q: "spark" } });
    expect(listed).toEqual({ synonyms: [added] });
    await admin.call("deleteSynonym", { params: { id: added._id } });
    expect(await found("sparkler")).toEqual([]);
    const { events } = await admin.call("listHistory", { query: { subject: "synonym" } });
    expect(events.map(({ what, about, who }) => [what, about, who?.email])).toEqual([
      ["deleted", "Sparkler", admin.email],
      ["added", "Sparkler", admin.email],
    ]);
  });

  test.each([
    [{ term: "--", sameAs: "saw" }, 422, { term: refusals.noWords }],
    [{ term: "", sameAs: "saw" }, 422, { term: refusals.required }],
    [{ term: "saw", sameAs: "blade\uD83D" }, 422, { sameAs: refusals.unreadableText }],
    [{ term: "chain-saw", sameAs: "chainsaw" }, 422, { sameAs: refusals.sameWords }],
    [{ term: "Reciprocating Saw", sameAs: "SAW-ZALL" }, 409, undefined],
  ])("%j is refused", async (body, status, fields) => {
    const refused = await admin.send("addSynonym", { body });
    expect([refused.status, refused.body.fields]).toEqual([status, fields]);
  });

  test("a removed one cannot be removed again", async () => {
    const { _id: id } = await admin.call("addSynonym", { body: { term: "blitzer", sameAs: "saw" } });
    await admin.call("deleteSynonym", { params: { id } });
    const refused = await admin.send("deleteSynonym", { params: { id } });
    expect([refused.status, refused.body.detail]).toEqual([404, refusals.synonymNotFound]);
  });
});

describe("an export", () => {
  const rowsOf = async (name: CallName, parts: Parts = {}) => {
    const { status, body } = await admin.send(name, parts);
    expect(status, JSON.stringify(body)).toBe(200);
    const [heading, ...rows] = String(body).trimEnd().split("\r\n");
    return { heading, rows };
  };

  test("has the rows of its list, with its filters, and no formulas", async () => {
    const tool = await addProduct(admin, {
      name: "=1+1 saw",
      itemNumber: "EXP-7",
      quantity: 50,
      minimum_order: 1,
    });
    const params = { id: tool._id };
    await admin.call("changeStock", { params, body: { kind: "receive", pieces: 40, reason: "+7724" } });
    await bob?.call("addReview", { body: { rating: 4, description: "Good, as ever" } });

    const stock = await rowsOf("exportStock", { query: { q: "exp-7" } });
    expect(stock).toEqual({
      heading: "item_number,product,quantity,reorder_point,promised",
      rows: ["EXP-7,'=1+1 saw,90,0,0"],
    });
    const ledger = await rowsOf("exportStockLedger", { params });
    expect(ledger.heading).toBe("at,kind,pieces,quantity,reason,by,order_number");
    expect(ledger.rows[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,received,40,90,'\+7724,[^,]+,$/);
    expect(ledger.rows).toHaveLength(2);
    expect((await rowsOf("exportUsers", { query: { role: "admin" } })).rows).toEqual([
      expect.stringMatching(`^${store.admin.email},[^,]*,admin,true,false$`),
    ]);
    expect((await rowsOf("exportReviews", { query: { q: "nakamura" } })).rows).toEqual([
      expect.stringMatching(/Z,Bob Nakamura,bob[^,]+,4,"Good, as ever",false$/),
    ]);
    expect(
      (await rowsOf("exportAuditLog", { query: { q: "=1+1 saw", subject: "product" } })).rows[0],
    ).toMatch(/,admin,stock received,product,[^,]+,'=1\+1 saw,,"\{""quantity"":50\}",/);
    expect((await rowsOf("exportActivity", { query: { q: "nakamura" } })).rows.length).toBeGreaterThan(0);
    expect((await rowsOf("exportEmails")).heading).toBe("sent_at,to,subject");
    const picks = await rowsOf("exportPickList");
    const { pieces } = await admin.call("pickList", {});
    expect(picks.rows.reduce((sum, row) => sum + Number(row.split(",").at(-4)), 0)).toBe(pieces);
    expect(picks.rows).toContainEqual(expect.stringMatching(/^KX-\d00,[^,]+,\d+,\d+,Ada Lovell,false$/));
    expect((await rowsOf("exportProducts", { query: { q: "exp-7" } })).rows).toHaveLength(1);
    for (const sort of ["oldest", "newest", "name", "price", "stock"] as const) {
      const { products } = await admin.call("searchProducts", { query: { sort, limit: 100 } });
      const { rows } = await rowsOf("exportProducts", { query: { sort } });
      expect(
        rows.map((row) => row.split(",")[0]),
        sort,
      ).toEqual(products.map((one) => one.itemNumber ?? ""));
    }
    expect(await rowsOf("exportProducts", { query: { q: "exp-7", archived: "only" } })).toMatchObject({
      heading: expect.stringMatching(/,picture,archived$/),
      rows: [],
    });
    expect(await rowsOf("exportReconciliation")).toMatchObject({ rows: [] });
    await admin.call("reconcile", { query: {} });
    const checks = await rowsOf("exportReconciliation");
    expect(checks.heading).toBe("checked_at,check,passed,discrepancy,purchase_id,refund_id");
    expect(checks.rows).toContainEqual(
      expect.stringMatching(/Z,The audit log has each [^"]*,true,,,$|,true,,,$/),
    );
    const { status } = await admin.send("exportStockLedger", { params: { id: placed[0]?._id ?? "" } });
    expect(status).toBe(404);
  });

  test("has all pages", async () => {
    await store.pool.query(
      "INSERT INTO shop.synonym (term, same_as) SELECT 'word' || n, 'saw' FROM generate_series(1, 1001) AS n",
    );
    const { rows } = await rowsOf("exportSynonyms", { query: { q: "word" } });
    expect(new Set(rows).size).toBe(1001);
  });

  test("of a long stock ledger has the stock after each movement", async () => {
    const { _id: id } = await addProduct(admin, { quantity: 10_000 });
    await store.pool.query(
      `WITH moved AS (INSERT INTO shop.stock_movement (product_id, pieces, reason, user_id)
         SELECT $1, n % 7 - 2, 'corrected', (SELECT id FROM shop.user LIMIT 1) FROM generate_series(1, 2100) AS n
         WHERE n % 7 <> 2 RETURNING pieces)
       UPDATE shop.product SET quantity = quantity + (SELECT sum(pieces) FROM moved) WHERE id = $1`,
      [id],
    );
    const { rows } = await rowsOf("exportStockLedger", { params: { id } });
    const figures = rows.reverse().map((row) => row.split(",").slice(2, 4).map(Number));
    expect(figures).toHaveLength(1801);
    let stock = 0;
    const expected = figures.map(([pieces = 0]) => {
      stock += pieces;
      return [pieces, stock];
    });
    expect(figures).toEqual(expected);
  });

  test("has all picks, by item number, also more than the pick list shows", async () => {
    const itemNumber = "MANY-1";
    const tool = await addProduct(admin, { itemNumber, quantity: 100_000, minimum_order: 1 });
    for (const buyer of [ada, bob]) await placeFor(buyer as SignedIn, tool, 1);
    await store.pool.query(
      `WITH bought AS (SELECT * FROM shop.purchase WHERE item_number = $1), placed AS (
         INSERT INTO shop.order (user_id) SELECT user_id FROM bought, generate_series(1, 2600) RETURNING id, user_id
       )
       INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name,
         item_number, picture, quantity, price_cents, status, transaction_id, paid_at)
       SELECT placed.id, 1, user_id, product_id, name, email, address, product_name, item_number, picture, 1,
         price_cents, 'paid', concat('pi_', placed.id), now()
       FROM placed JOIN bought USING (user_id)`,
      [itemNumber],
    );
    const { isComplete } = await admin.call("pickList", {});
    expect(isComplete).toBe(false);
    const { rows } = await rowsOf("exportPickList");
    const numbers = rows.map((row) => row.split(",")[0]);
    expect(numbers.filter((number) => number === itemNumber)).toHaveLength(5200);
    // those without one are last
    expect(numbers).toEqual([...numbers.filter(Boolean).toSorted(), ...numbers.filter((one) => !one)]);
  });
});
