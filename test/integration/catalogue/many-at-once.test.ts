/**
 * Thousands of products added or changed by one statement, as an operator does in the database, within the statement
 * timeout; also several such statements at the same time.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueQuery } from "../../../api/catalogue-calls.ts";
import { generate } from "../../bench/generate.ts";
import { expectSearchToAgree } from "./agreement.ts";
import { type FilledCatalogue, openFilled } from "./filled.ts";

/** more than are indexed in one batch */
const TOOLS = 2100;

let catalogue: FilledCatalogue;
let pool: FilledCatalogue["pool"];
beforeAll(async () => {
  catalogue = await openFilled((_, connection) => generate(connection, TOOLS));
  ({ pool } = catalogue);
});
afterAll(() => catalogue.drop());

const find = (query: Partial<CatalogueQuery>) => catalogue.find(query);
const totalOf = async (query: Partial<CatalogueQuery>) => (await find(query)).total;

test("products renamed together are found by their new name, and no longer by the old one", async () => {
  await pool.query("UPDATE shop.product SET name = 'Quasar ' || name");
  expect(await totalOf({ q: "quasar" })).toBe(TOOLS);
  await pool.query("UPDATE shop.product SET name = replace(name, 'Quasar', 'Zenith')");
  expect(await totalOf({ q: "zenith" })).toBe(TOOLS);
  expect(await totalOf({ q: "quasar" })).toBe(0);
});

test("prices, minimum orders and stocks of all products at once", async () => {
  await pool.query("UPDATE shop.product SET price_cents = 30000 + price_cents % 100, minimum_order = 7");
  expect(await totalOf({ price: [3] })).toBe(TOOLS);
  expect((await find({ sort: "price" })).tools[0]).toMatchObject({ price: 300, minimum_order: 7 });
  await pool.query("UPDATE shop.product SET quantity = 6");
  expect(await totalOf({ stock: "covers" })).toBe(0);
  await pool.query("UPDATE shop.product SET quantity = 7");
  expect(await totalOf({ stock: "covers" })).toBe(TOOLS);
});

test("all fields of a product in one statement, and a change without effect", async () => {
  await pool.query(`
    UPDATE shop.product SET quantity = 0, price_cents = 99900, category = 'Telescopes', power_source = 'Solar 48 V',
      item_number = 'TEL-' || substr(item_number, 4), archived_at = NULL
    WHERE id IN (SELECT id FROM shop.product ORDER BY id LIMIT 600)`);
  expect(await totalOf({ category: ["Telescopes"], voltage: [48], power: ["Solar"], price: [5] })).toBe(600);
  expect(await totalOf({ q: "telescopes", stock: "covers" })).toBe(0);
  const { rows: before } = await pool.query("SELECT last_value FROM shop.catalogue_change");
  await pool.query("UPDATE shop.product SET name = name, price_cents = price_cents, quantity = quantity + 1");
  expect((await pool.query("SELECT last_value FROM shop.catalogue_change")).rows).toEqual(before);
  await expectSearchToAgree(pool);
});

test("products added together, archived together and restored", async () => {
  await pool.query(`
    INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description, category, technical_data)
    SELECT 'Imported ' || name, picture, price_cents, quantity, minimum_order, description, category, technical_data
    FROM shop.product LIMIT 600`);
  expect(await totalOf({ q: "imported" })).toBe(600);
  expect(await totalOf({})).toBe(TOOLS + 600);
  await pool.query("UPDATE shop.product SET archived_at = now() WHERE name LIKE 'Imported %'");
  expect(await totalOf({ q: "imported" })).toBe(0);
  expect(await totalOf({})).toBe(TOOLS);
  await pool.query(
    "UPDATE shop.product SET archived_at = NULL, name = 'Returned ' || name WHERE archived_at IS NOT NULL",
  );
  expect(await totalOf({ q: "returned imported" })).toBe(600);
  await expectSearchToAgree(pool);
});

test("concurrent statements that change the same products in different orders wait for each other, and no word is lost", async () => {
  await pool.query("UPDATE shop.product SET quantity = 1000, minimum_order = 10, archived_at = NULL");
  const changes = ["ASC", "DESC"].flatMap((order) =>
    ["name = name || ' alpha'", "key_fact = 'omega'", "price_cents = price_cents + 1000"].map((change) =>
      inOrder(change, order),
    ),
  );
  const { rows: sold } = await pool.query<{ id: string }>("SELECT id FROM shop.product ORDER BY id LIMIT 60");
  const sales = sold.map(({ id }) => pool.query("UPDATE shop.product SET quantity = 3 WHERE id = $1", [id]));
  const additions = [1, 2].map((number) =>
    pool.query(
      `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
       SELECT 'Comet ' || $1 || ' ' || n, '/tools/comet.svg', 100, 1, 1, 'Comet' FROM generate_series(1, 500) AS n`,
      [number],
    ),
  );
  await Promise.all([...changes, ...sales, ...additions]);
  expect(await totalOf({ q: "alpha omega" })).toBe(400);
  expect(await totalOf({ q: "comet" })).toBe(1000);
  await expectSearchToAgree(pool);
});

/** Changes the first 400 tools, one after the other in this order. */
async function inOrder(change: string, order: string): Promise<void> {
  const client = await pool.connect();
  try {
    // otherwise PostgreSQL would take them in physical order
    await client.query("SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off");
    await client.query(`
      UPDATE shop.product SET ${change}
      FROM (SELECT id FROM (SELECT id FROM shop.product ORDER BY id LIMIT 400) AS first ORDER BY id ${order}) AS one
      WHERE product.id = one.id`);
  } finally {
    client.release(true);
  }
}
