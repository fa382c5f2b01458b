/**
 * A trigger with a list of columns runs only if one of them is set. Here are the columns of a product that are missing
 * in each list on purpose: another one is added to the triggers by a migration, or here.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const neverChange = ["id", "created_at"];
// sales change the stock, and product_stock_crossed tells the caches of it
const notCached = [...neverChange, "quantity", "reorder_point", "version"];
const notInTheCatalogue = [
  ...notCached,
  ...["picture", "description", "order_multiple", "price_breaks", "drawn_box", "dimensions"],
];

const leftOut: Record<string, string[]> = {
  remember: [...neverChange, "quantity"],
  product_tell_changed: notCached,
  product_in_turn: notInTheCatalogue,
  product_due_renewed: notInTheCatalogue,
  "product_words_due, product_numbers_due": notInTheCatalogue,
};

test.each(Object.entries(leftOut))(
  "%s: all columns of a product but the stated ones",
  async (names, missing) => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = 'shop.product'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND NOT EXISTS (SELECT FROM pg_trigger
         WHERE tgrelid = attrelid AND tgname = ANY ($1) AND attnum = ANY (tgattr::int2[]))`,
      [names.split(", ")],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(missing.toSorted());
  },
);

test("no other triggers of a product have a list of columns, except those of the stock", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT tgname AS name FROM pg_trigger
     WHERE tgrelid = 'shop.product'::regclass AND NOT tgisinternal AND tgattr <> ''`,
  );
  const known = [
    ...Object.keys(leftOut).join(", ").split(", "),
    "product_orderable",
    "product_stock_crossed",
  ];
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
});
