/** The catalogue index of a process (shop/catalogue/index/index-cache.ts) compared with PostgreSQL. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueQuery } from "../../../api/catalogue-calls.ts";
import { generate } from "../../bench/generate.ts";
import { expectSearchToAgree } from "./agreement.ts";
import { type FilledCatalogue, openFilled } from "./filled.ts";

const TOOLS = 1500;

let catalogue: FilledCatalogue;
let pool: FilledCatalogue["pool"];
beforeAll(async () => {
  catalogue = await openFilled((_, connection) => generate(connection, TOOLS));
  ({ pool } = catalogue);
  await readProducts();
});
afterAll(() => catalogue.drop());

const find = (query: Partial<CatalogueQuery>) => catalogue.find(query);

/** All pages in order, by id. */
async function findAll(query: Partial<CatalogueQuery>): Promise<string[]> {
  const page = await find(query);
  const ids = page.tools.map((tool) => tool._id);
  return page.next ? [...ids, ...(await findAll({ ...query, cursor: page.next }))] : ids;
}

/** Reads the words of all products as they are now, which takes PostgreSQL longer than any search in them. */
async function readProducts(): Promise<void> {
  await pool.query("DROP TABLE IF EXISTS tool; CREATE TABLE tool AS SELECT * FROM shop.catalogue_source");
}

/** What PostgreSQL finds in the products that `readProducts` has read: all words, the last one as a prefix. */
async function expected(text: string, order: string): Promise<string[]> {
  const words = text.split(" ");
  const values = [words.slice(0, -1), words.at(-1)];
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM tool JOIN shop.catalogue_category category ON category.name = tool.category
     WHERE ${has("all_words")} ORDER BY ${order}`,
    values,
  );
  return rows.map(({ id }) => id);
}

const has = (column: string) =>
  `(${column} @> $1 AND EXISTS (SELECT FROM unnest(${column}) AS word WHERE word ^@ $2))`;

const hasWhole = (column: string) => `(${column} @> $1 AND $2 = ANY (${column}))`;
const wholeFirst = [
  hasWhole("name_words"),
  `(${hasWhole("all_words")} AND name_words && ($1 || $2::text))`,
  hasWhole("all_words"),
  has("name_words"),
]
  .map((tier) => `${tier} DESC`)
  .join(", ");

const orders: [sort: CatalogueQuery["sort"], order: string][] = [
  [undefined, `${wholeFirst}, id`],
  ["catalogue", "category.position, id"],
  ["price", "price_cents, id"],
  ["-price", "price_cents DESC, id DESC"],
  ["name", 'tool.name COLLATE "C", id'],
  ["minimum", "minimum_order, id"],
];

test.each(orders)(
  "in the order %s, page by page, returns what PostgreSQL finds and sorts",
  async (sort, order) => {
    for (const q of ["drill", "kit brushless", "18v saw", "with"]) {
      const right = await expected(q, order);
      expect(right.length).toBeGreaterThan(5);
      expect(await findAll({ q, sort })).toEqual(right);
    }
  },
);

test("a partial item number is sorted by item number, or in another order", async () => {
  const right = async (order: string) =>
    (await pool.query(`SELECT id FROM shop.catalogue_source WHERE item_key ^@ 'JS18' ORDER BY ${order}`))
      .rows;
  for (const [sort, order] of [
    [undefined, 'item_key COLLATE "C"'],
    ["price", "price_cents, id"],
  ] as const)
    expect(await findAll({ q: "js 18", sort })).toEqual((await right(order)).map(({ id }) => id));
});

test("a filter that more than a thousand tools match is sorted by name", async () => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM shop.product WHERE quantity >= minimum_order ORDER BY name COLLATE "C", id',
  );
  expect(rows.length).toBeGreaterThan(1000);
  expect(rows.length).toBeLessThan(TOOLS);
  expect(await findAll({ stock: "covers", sort: "name" })).toEqual(rows.map(({ id }) => id));
});

test("every change, small or large, is found at once", async () => {
  const cheapest = async () => (await find({ q: "saw", sort: "price" })).tools.map((tool) => tool.price);
  const before = await cheapest();
  const [one, another] = (await find({ q: "saw" })).tools;
  await pool.query("UPDATE shop.product SET price_cents = 1 WHERE id = $1", [one?._id]);
  expect(await cheapest()).toEqual([0.01, ...before.filter((price) => price !== one?.price)].slice(0, 100));
  await pool.query("UPDATE shop.product SET name = 'Quantum cutter' WHERE id = $1", [another?._id]);
  expect((await find({ q: "quantum" })).tools.map((tool) => tool._id)).toEqual([another?._id]);
  // more changes than are applied one by one
  await generate(catalogue.connection, TOOLS + 800);
  await pool.query(
    "UPDATE shop.product SET archived_at = now() WHERE id IN (SELECT id FROM shop.product ORDER BY id LIMIT 20)",
  );
  await readProducts();
  for (const [sort, order] of orders)
    for (const q of ["drill", "saw"]) expect(await findAll({ q, sort })).toEqual(await expected(q, order));
  expect((await find({})).total).toBe(TOOLS + 780);
});

test("searches concurrent with changes end with the current state", async () => {
  const name = (round: number) => `Changing tool number${round} thing`;
  const [tool] = (await find({})).tools;
  for (let round = 0; round < 20; round += 1) {
    const changing = pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [name(round), tool?._id]);
    const asking = Array.from({ length: 5 }, () => find({ q: `changing number${round}` }));
    await Promise.all([changing, ...asking]);
    expect((await find({ q: `changing number${round} thing` })).tools).toMatchObject([{ name: name(round) }]);
    expect((await find({ q: "changing thing" })).total).toBe(1);
  }
});

test("the words' blocks have exactly the words of the entries", async () => {
  await expectSearchToAgree(pool);
});

test("a standby that has missed the last changes, and takes over, is searched as it is", async () => {
  const right = await findAll({ q: "saw", sort: "price" });
  const [lost] = (await find({ q: "saw", sort: "price" })).tools;
  await pool.query("UPDATE shop.product SET price_cents = price_cents + 100000 WHERE id = $1", [lost?._id]);
  await find({ q: "saw" });
  await pool.query("ALTER TABLE shop.catalogue_entry DISABLE TRIGGER USER");
  await pool.query(
    "UPDATE shop.catalogue_entry SET price_cents = price_cents - 100000 WHERE product_id = $1",
    [lost?._id],
  );
  await pool.query("ALTER TABLE shop.catalogue_entry ENABLE TRIGGER USER");
  await pool.query("UPDATE shop.catalogue_place SET changed = 0");
  await readProducts();
  // a word that is not cached
  expect(await findAll({ q: "hammer", sort: "price" })).toEqual(await expected("hammer", "price_cents, id"));
  expect(await findAll({ q: "saw", sort: "price" })).toEqual(right);
});
