/**
 * The plans of frequent queries with a million products and ten million orders always use an index. There are 2,000
 * rows here, with the statistics of five hundred times as many: PostgreSQL assumes that many rows, and that one page
 * of a table costs as much as five hundred. The planner then chooses freely. The statements are recorded from the
 * running shop.
 */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueQuery } from "../../../api/catalogue-calls.ts";
import { openTokens } from "../../../server/auth/tokens.ts";
import { listAuditLog } from "../../../shop/audit-log/list.ts";
import { searchCatalogue } from "../../../shop/catalogue/search.ts";
import { deleteOldKeys, runOnce } from "../../../shop/idempotency/run-once.ts";
import { readHeading } from "../../../shop/import/read-record.ts";
import { compareRecords } from "../../../shop/import/stage.ts";
import { expireUnpaidPurchases } from "../../../shop/orders/expire.ts";
import { findOrderDetails, listOrders } from "../../../shop/orders/find-orders.ts";
import { PLACE } from "../../../shop/orders/place.ts";
import { findPurchaseWithTimeline, listPurchases } from "../../../shop/orders/queries.ts";
import { sendExpiryReminders } from "../../../shop/orders/remind.ts";
import { type PurchaseSearch, searchPurchases } from "../../../shop/orders/search.ts";
import { syncDisputes } from "../../../shop/payments/find-disputes.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import type { PaymentProvider } from "../../../shop/payments/provider.ts";
import { findProduct, findProductsByName, listProducts } from "../../../shop/products/queries.ts";
import { syncRefunds } from "../../../shop/refunds/sync.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import { listReviews } from "../../../shop/reviews/queries.ts";
import { listStock } from "../../../shop/stock/queries.ts";
import type { Store, User } from "../../../shop/store.ts";
import { generate } from "../../bench/generate.ts";
import { freshDatabase } from "../../harness/database.ts";

const TOOLS = 2_000;
/** How many rows, and pages, each one represents. */
const TIMES = 500;
const LARGE = [
  ...[
    "product",
    "catalogue_entry",
    "catalogue_place",
    "catalogue_block",
    "stock_movement",
    "user",
    "purchase",
    "payment",
    "refund",
    "review",
    "event",
    "request",
  ],
].map((name) => `shop.${name}`);

const SHIPPED_ORDERS = `
WITH placed AS (
  INSERT INTO shop.order (user_id) SELECT uuidv7() FROM generate_series(1, 5000) RETURNING id, user_id, number
)
INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
  quantity, shipped_pieces, price_cents, status, transaction_id, paid_at, shipped_at)
SELECT id, 1, user_id, uuidv7(), 'B', 'b@plans.example', '1 Street', 'Saw', '/saw.svg', 1, 1, 5000, 'shipped',
  'pi_' || number, now(), now() FROM placed`;

interface Statement {
  text: string;
  values: unknown[];
}

let pool: pg.Pool;
let drop: () => Promise<void>;
let store: Store;
let executed: Statement[] = [];

beforeAll(async () => {
  const fresh = await freshDatabase();
  ({ pool, drop } = fresh);
  await generate(fresh.connection, TOOLS);
  await fillOrders(pool);
  await believeMillion(pool);
  const recorded = recordStatements(pool);
  // no statement here calls the payment provider, except for its account
  const payments = { account: async () => ({ mode: "sandbox", id: null }) } as unknown as PaymentProvider;
  store = { pool: recorded, payments, unpaidHoldHours: 48 };
}, 180_000);

afterAll(() => drop());

const none: CatalogueQuery = { q: "", category: [], power: [], voltage: [], price: [], limit: 30 };
const searches: [what: string, query: Partial<CatalogueQuery>][] = [
  ["the whole catalogue", {}],
  ["a category by price", { category: ["Sawing"], sort: "-price" }],
  ["a voltage and a price band by name", { voltage: [18], price: [2], sort: "name" }],
  ["a common word", { q: "drill" }],
  ["a common word by price", { q: "brushless", sort: "price" }],
  ["two words and a facet", { q: "18 v saw", power: ["Battery"], stock: "covers" }],
  ["a mistyped word", { q: "jgisaw" }],
  ["an item number", { q: "DD 18-60" }],
  ["half a word in catalogue order", { q: "sa", sort: "catalogue" }],
];

test.each(searches)("searching for %s", async (_what, query) => {
  await expectIndexes(() => searchCatalogue(store, { ...none, ...query }));
});

test("comparing 200 rows of a file with new item numbers", async () => {
  const heading = readHeading({ row: 1, cells: ["item_number", "name", "price", "description", "picture"] });
  const records = Array.from({ length: 200 }, (_, index) => ({
    row: index + 2,
    cells: [`ZX ${index}-18`, "Plane", "5", "A plane.", "/tools/x.svg"],
  }));
  await expectIndexes(async () => {
    const staged = await compareRecords(store.pool, heading, records, new Map(), new Map());
    expect(staged.every(({ status }) => status === "new")).toBe(true);
  });
});

test("the next page of a search", async () => {
  const first = await searchCatalogue(store, { ...none, sort: "price" });
  if (isRefusal(first)) throw new Error(first.detail);
  await expectIndexes(() => searchCatalogue(store, { ...none, sort: "price", cursor: first.next }));
});

test("the public lists, one product, a product by its name", async () => {
  await expectIndexes(async () => {
    const listed = await listProducts(store, { limit: 100 });
    if (isRefusal(listed)) throw new Error(listed.detail);
    const [tool] = listed.rows;
    await listProducts(store, { limit: 100, cursor: listed.next });
    await findProduct(store, tool?._id as string);
    await findProductsByName(store, tool?.name as string);
    await listReviews(store, { limit: 100 });
  });
});

test("one buyer's orders, and all of them", async () => {
  await expectIndexes(async () => {
    await listPurchases(store, { limit: 100 }, "buyer-7@plans.example");
    await listPurchases(store, { limit: 100 });
  });
});

test("the few orders of a status, by the lines that have it", async () => {
  const shipped = await freshDatabase();
  const client = await shipped.pool.connect();
  await client.query("SET session_replication_role = replica");
  await client.query(SHIPPED_ORDERS);
  await client.query("ANALYZE shop.order, shop.purchase");
  const viewer: User = { id: "", email: "", name: "", role: "admin" };
  const recorded = recordStatements(shipped.pool);
  for (const status of ["unpaid", "paid", "partly_shipped"] as const) {
    executed = [];
    await listOrders({ ...store, pool: recorded }, viewer, { status, mine: false, limit: 20 });
    const { text, values } = executed[0] as Statement;
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    expect(JSON.stringify(rows), status).toMatch(/purchase_(status|unpaid|waiting_longest)_idx/);
  }
  client.release(true);
  await shipped.drop();
});

test("one order with its timeline, and the queries of a payment", async () => {
  const { rows } = await pool.query("SELECT id, user_id FROM shop.purchase LIMIT 1");
  const viewer: User = { id: rows[0].user_id, email: "", name: "", role: "user" };
  // none is due for polling, since there is no provider
  await pool.query("UPDATE shop.payment SET checked_at = now()");
  await expectIndexes(async () => {
    await findPurchaseWithTimeline(store, rows[0].id, viewer);
    await findOrderDetails(store, rows[0].id, viewer);
    await pollOpenPayments(store);
    await expireUnpaidPurchases(store);
    await sendExpiryReminders(store);
  });
});

test("the disputes that the payment provider lists", async () => {
  const payments = { ...store.payments, async *disputesSince() {} };
  await expectIndexes(() => syncDisputes({ ...store, payments }));
});

test("the refunds that the payment provider lists", async () => {
  const { rows } = await pool.query("SELECT id, payment_id FROM shop.refund LIMIT 1");
  const own = {
    id: "re_1",
    status: "succeeded",
    failure: null,
    amountCents: 1,
    reference: rows[0].id,
  } as const;
  const refundsOf = async function* () {
    yield own;
    yield { ...own, id: "re_2", reference: "made elsewhere" };
  };
  const payments = { ...store.payments, refundsOf };
  await expectIndexes(() => syncRefunds({ ...store, payments }, rows[0].payment_id));
});

test("an admin's search for an order", async () => {
  await expectIndexes(async () => {
    await searchPurchases(store, { q: "buyer-7@plans.example", limit: 50, sort: "newest" } as PurchaseSearch);
    await searchPurchases(store, { limit: 50, sort: "newest" } as PurchaseSearch);
  });
});

test("the audit log, all of it, of one subject, of one order, and searched", async () => {
  const { rows } = await pool.query("SELECT id FROM shop.purchase LIMIT 1");
  await expectIndexes(async () => {
    const newest = await listAuditLog(store, { limit: 50 });
    if (isRefusal(newest)) throw new Error(newest.detail);
    await listAuditLog(store, { limit: 50, cursor: newest.next });
    await listAuditLog(store, { limit: 50, subject: "purchase" });
    await listAuditLog(store, { limit: 50, purchaseId: rows[0].id });
    await listAuditLog(store, { limit: 50, q: "buyer-7@plans.example" });
  });
});

test("the orders with the longest wait to be shipped, and the next page of them", async () => {
  const waiting = { status: "paid", sort: "waiting", limit: 50 } as const;
  const lists: Statement[] = [];
  await expectIndexes(async () => {
    const first = await searchPurchases(store, waiting);
    if (isRefusal(first)) throw new Error(first.detail);
    await searchPurchases(store, { ...waiting, cursor: first.next });
    lists.push(...executed.filter(({ text }) => text.includes("ORDER BY paid_at")));
  });
  expect(lists).toHaveLength(2);
  for (const list of lists) {
    const chosen = await plan(list);
    expect(chosen).toContain("Index Scan using purchase_waiting_longest_idx");
    expect(chosen).not.toContain("Sort");
  }
});

test("the stock page, the next page of it, and the tools below their reorder point", async () => {
  const lists: Statement[] = [];
  await expectIndexes(async () => {
    const first = await listStock(store, { limit: 25 });
    if (isRefusal(first)) throw new Error(first.detail);
    await listStock(store, { limit: 25, cursor: first.next });
    await listStock(store, { limit: 25, low: "1" });
    lists.push(...executed.filter(({ text }) => text.includes("ORDER BY shortage")));
  });
  expect(lists).toHaveLength(3);
  for (const list of lists) {
    const chosen = await plan(list);
    expect(chosen).toContain("using product_shortage_idx");
    expect(chosen).not.toContain("Sort");
  }
});

test("the user of a token", async () => {
  const { rows } = await pool.query(`SELECT s.id, u.email, u.name, u.role, u.id AS "userId"
    FROM identity.session s JOIN shop.user u ON u.id = s."userId" LIMIT 1`);
  const tokens = openTokens("a secret of more than thirty-two signs", store.pool);
  const token = await tokens.issue({ ...rows[0], id: rows[0].userId }, rows[0].id);
  await expectIndexes(async () => expect(await tokens.read(token)).not.toBeNull());
});

test("a call with an idempotency key, and keys that are a day old", async () => {
  const { rows } = await pool.query("SELECT id FROM shop.user LIMIT 1");
  const call = { name: "addReview" as const, userId: rows[0].id, key: "first", input: {} };
  await expectIndexes(async () => {
    await runOnce(store, "transaction", call, async () => ({}));
    await runOnce(store, "transaction", call, async () => ({}));
    await deleteOldKeys(store.pool);
  });
});

test("a purchase, with all its triggers", async () => {
  const { rows: tools } = await pool.query(
    "SELECT id, price_cents FROM shop.product WHERE quantity > 100 LIMIT 1",
  );
  const { rows: users } = await pool.query("SELECT id FROM shop.user LIMIT 1");
  const order = {
    buyer: users[0].id,
    name: "B",
    email: "b@plans.example",
    address: "1 Street",
    phone: "",
    actor: "",
    lines: [{ index: 0, product: tools[0].id, quantity: 100, price_cents: tools[0].price_cents }],
  };
  const plans = await plansInside({ text: PLACE, values: [JSON.stringify(order)] });
  expect(plans.filter((one) => one.includes("Insert on purchase"))).toHaveLength(1);
  // including queries of foreign keys and writes of triggers
  expect(plans.join("\n")).toContain("Insert on event");
  expect(plans.flatMap(largeScans)).toEqual([]);
});

test("a changed product, with its words, and a search that reads the change", async () => {
  const { rows } = await pool.query("SELECT id FROM shop.product LIMIT 1");
  const change = (columns: string) =>
    plansInside({ text: `UPDATE shop.product SET ${columns} WHERE id = $1`, values: [rows[0].id] });
  const plans = await change("name = 'Renamed saw', quantity = 0");
  expect(plans.join("\n")).toContain("Merge on catalogue_block");
  plans.push(
    ...(await change("price_cents = 12345, minimum_order = 60")),
    ...(await change("quantity = 70")),
  );
  expect(plans.flatMap(largeScans)).toEqual([]);
  await expectIndexes(() => searchCatalogue(store, { ...none, q: "renamed" }));
});

/** Runs it, then checks the plan of every statement that it sent. */
async function expectIndexes(run: () => Promise<unknown>): Promise<void> {
  executed = [];
  await run();
  expect(executed.length).toBeGreaterThan(0);
  for (const statement of executed) {
    expect(largeScans(await plan(statement)), statement.text).toEqual([]);
  }
}

/** The large tables that a plan scans completely. */
function largeScans(plan: string): string[] {
  const names = LARGE.map((name) => name.split(".")[1]);
  const scanned = [...plan.matchAll(/Seq Scan on (?:\w+\.)?"?(\w+)/g)].map(([, name]) => name as string);
  return scanned.filter((name) => names.includes(name));
}

async function plan({ text, values }: Statement): Promise<string> {
  if (/^\s*(BEGIN|COMMIT|ROLLBACK|SET)\b/.test(text)) return "";
  const client = await pool.connect();
  await client.query(`SET seq_page_cost = ${TIMES}`);
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
  client.release(true);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** The plans of a statement and of everything it runs: functions, triggers, foreign keys. */
async function plansInside({ text, values }: Statement): Promise<string[]> {
  const client = await pool.connect();
  const plans: string[] = [];
  client.on("notice", ({ message }) => plans.push(message ?? ""));
  await client.query(`
    LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_level = notice; SET seq_page_cost = ${TIMES}`);
  await client.query(text, values);
  client.release(true);
  return plans.filter((one) => one.includes("Query Text"));
}

/** Scales the statistics of the tables. */
async function believeMillion(database: pg.Pool): Promise<void> {
  for (const name of LARGE) {
    await database.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
    await database.query(
      `SELECT pg_restore_relation_stats('schemaname', 'shop', 'relname', $2::text, 'relpages', relpages,
         'reltuples', (reltuples * $3)::real) FROM pg_class WHERE oid = $1::regclass`,
      [name, name.split(".")[1], TIMES],
    );
  }
  const { rows } = await database.query<{ rows: string }>("EXPLAIN (FORMAT JSON) SELECT FROM shop.product");
  const [{ Plan }] = (rows[0] as unknown as { "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] })[
    "QUERY PLAN"
  ];
  expect(Plan["Plan Rows"]).toBeGreaterThan(900_000);
}

/** The pool, with every statement recorded. */
function recordStatements(real: pg.Pool): pg.Pool {
  const note = (target: object): unknown =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        if (name === "connect") return async () => note(await member.call(object));
        if (name !== "query") return member.bind(object);
        return (query: string | Statement, ...values: unknown[][]) => {
          const given = typeof query === "string" ? { text: query, values: [] } : query;
          executed.push({ text: given.text, values: values[0] ?? given.values });
          return member.call(object, query, ...values);
        };
      },
    });
  return note(real) as pg.Pool;
}

/** 2,000 buyers, signed in, with ten orders each, every hundredth paid, and as many reviews and events. */
async function fillOrders(database: pg.Pool): Promise<void> {
  await database.query(`
    SET session_replication_role = replica;
    INSERT INTO shop.user (id, email, name)
    SELECT gen_random_uuid(), 'buyer-' || n || '@plans.example', 'Buyer ' || n FROM generate_series(1, 2000) AS n;
    INSERT INTO shop.order (user_id) SELECT id FROM shop.user, generate_series(1, 10);
    INSERT INTO shop.purchase (order_id, line_number, user_id, product_id, name, email, address, product_name, picture,
      quantity, price_cents)
    SELECT o.id, 1, u.id, product.id, 'Buyer', u.email, '1 Street', product.name, picture, 1, price_cents
    FROM (SELECT *, row_number() OVER (PARTITION BY user_id) AS nth FROM shop.order) AS o
    JOIN shop.user u ON u.id = o.user_id
    JOIN (SELECT *, row_number() OVER () AS nth FROM shop.product LIMIT 10) AS product ON product.nth = o.nth;
    UPDATE shop.purchase SET status = 'paid', transaction_id = id::text, paid_at = placed_at - n * interval '1 hour'
    FROM (SELECT id AS numbered_id, row_number() OVER () AS n FROM shop.purchase) AS numbered
    WHERE id = numbered_id AND n % 100 = 0;
    INSERT INTO identity."user" (id, name, email) SELECT id, name, email FROM shop.user;
    INSERT INTO identity.session ("userId", token, "expiresAt")
    SELECT id, id::text, now() + interval '1 day' FROM shop.user;
    INSERT INTO shop.event (role, what, subject, subject_id, purchase_id)
    SELECT 'system', 'placed', 'purchase', id, id FROM shop.purchase;
    INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, status, settled_at)
    SELECT 'pi_' || n, user_id, id, total_cents, CASE WHEN n % 1000 > 0 THEN 'succeeded' ELSE 'open' END,
      CASE WHEN n % 1000 > 0 THEN now() END
    FROM (SELECT *, row_number() OVER () AS n FROM shop.purchase) AS numbered;
    INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents, is_open)
    SELECT id, purchase_id, amount_cents, status = 'open' FROM shop.payment;
    INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin, status, provider_id, done_at)
    SELECT id, purchase_id, amount_cents, 'Broken.', 'provider', 'done', id, now() FROM shop.payment;
    INSERT INTO shop.request (person_id, key, digest, held_until)
    SELECT id, 'key ' || n, '', now() FROM shop.user, generate_series(1, 5) AS n;
    INSERT INTO shop.review (name, rating, description) SELECT 'Buyer', 5, 'Good.' FROM generate_series(1, 20000);
    SET session_replication_role = origin;
    ANALYZE`);
}
