/**
 * How PostgreSQL can answer the questions that are asked often: by an index, always, so that none of them ever
 * reads a whole large table. Scans of a whole table are made dear here, since a small one is best read whole; one
 * that is planned all the same has no index to go by. Statements are taken from the shop as it runs.
 */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueQuery } from "../../api/catalogue-calls.ts";
import { openDatabase } from "../../database/client.ts";
import { searchCatalogue } from "../../shop/catalogue/search.ts";
import { findProduct, findProductByName, listProducts } from "../../shop/products/queries.ts";
import { PLACE } from "../../shop/purchases/place.ts";
import { listPurchases } from "../../shop/purchases/queries.ts";
import { isRefusal } from "../../shop/refusal.ts";
import { listReviews } from "../../shop/reviews/queries.ts";
import type { Store } from "../../shop/store.ts";
import { generate } from "../bench/generate.ts";
import { freshDatabase } from "../harness/database.ts";

const TOOLS = 2_000;

interface Statement {
  text: string;
  values: unknown[];
}

let pool: pg.Pool;
let drop: () => Promise<void>;
let store: Store;
let asked: Statement[] = [];

beforeAll(async () => {
  const fresh = await freshDatabase();
  ({ pool, drop } = fresh);
  await generate(fresh.connection, TOOLS);
  await fillOrders(pool);
  store = { database: openDatabase(listening(pool)), pool: listening(pool) } as Store;
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

test("the next page of a search", async () => {
  const first = await searchCatalogue(store, { ...none, sort: "price" });
  if (isRefusal(first)) throw new Error(first.detail);
  await expectIndexes(() => searchCatalogue(store, { ...none, sort: "price", cursor: first.next }));
});

test("the public lists, one tool, a tool by its name", async () => {
  await expectIndexes(async () => {
    const listed = await listProducts(store, { limit: 100 });
    if (isRefusal(listed)) throw new Error(listed.detail);
    const [tool] = listed.rows;
    await listProducts(store, { limit: 100, cursor: listed.next });
    await findProduct(store, tool?._id as string);
    await findProductByName(store, tool?.name as string);
    await listReviews(store, { limit: 100 });
  });
});

test("one buyer's orders, and all of them", async () => {
  await expectIndexes(async () => {
    await listPurchases(store, { limit: 100 }, "buyer-7@plans.example");
    await listPurchases(store, { limit: 100 });
  });
});

test("the statement of a purchase", async () => {
  const { rows } = await pool.query("SELECT id, price_cents FROM shop.product WHERE quantity > 100 LIMIT 1");
  const { rows: users } = await pool.query("SELECT id FROM shop.user LIMIT 1");
  const values = [
    rows[0].id,
    100,
    users[0].id,
    "B",
    "b@plans.example",
    "1 Street",
    "",
    rows[0].price_cents,
    "",
  ];
  expect(await plan({ text: PLACE, values })).not.toContain("Seq Scan");
});

/** Runs it, then looks at the plan of every statement that it asked. */
async function expectIndexes(run: () => Promise<unknown>): Promise<void> {
  asked = [];
  await run();
  expect(asked.length).toBeGreaterThan(0);
  for (const statement of asked) {
    const scans = (await plan(statement)).match(/Seq Scan on (\w+)/g) ?? [];
    // a few dozen rows, whatever the catalogue's size
    const large = scans.filter(
      (scan) => !/on (catalogue_category|catalogue_word|catalogue_cell)$/.test(scan),
    );
    expect(large, statement.text).toEqual([]);
  }
}

async function plan({ text, values }: Statement): Promise<string> {
  const client = await pool.connect();
  await client.query("SET enable_seqscan = off");
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
  client.release(true);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** The pool, with every statement noted. */
function listening(real: pg.Pool): pg.Pool {
  const note = (target: object): unknown =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        if (name === "connect") return async () => note(await member.call(object));
        if (name !== "query") return member.bind(object);
        return (query: string | Statement, ...values: unknown[][]) => {
          const given = typeof query === "string" ? { text: query, values: [] } : query;
          asked.push({ text: given.text, values: values[0] ?? given.values });
          return member.call(object, query, ...values);
        };
      },
    });
  return note(real) as pg.Pool;
}

/** 2,000 buyers with ten orders each, and as many reviews; without the history, which is not asked here. */
async function fillOrders(database: pg.Pool): Promise<void> {
  await database.query(`
    SET session_replication_role = replica;
    INSERT INTO shop.user (id, email, name)
    SELECT gen_random_uuid(), 'buyer-' || n || '@plans.example', 'Buyer ' || n FROM generate_series(1, 2000) AS n;
    INSERT INTO shop.purchase (user_id, product_id, name, email, address, product_name, picture, quantity, price_cents)
    SELECT u.id, product.id, 'Buyer', u.email, '1 Street', product.name, picture, 1, price_cents
    FROM shop.user u, (SELECT * FROM shop.product LIMIT 10) AS product;
    INSERT INTO shop.review (name, rating, description) SELECT 'Buyer', 5, 'Good.' FROM generate_series(1, 20000);
    SET session_replication_role = origin;
    ANALYZE shop.user, shop.purchase, shop.product, shop.review`);
}
