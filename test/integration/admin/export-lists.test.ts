/** The exports of lists, beyond one read of rows. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportReviews, exportStock, exportUsers } from "../../../shop/exports/export-lists.ts";
import { exportProducts } from "../../../shop/import/export.ts";
import type { Refusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { freshDatabase } from "../../harness/database.ts";

const ROWS = 2500;
const page = { limit: 25, bom: false };

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  const rows = `FROM generate_series(1, ${ROWS}) AS n`;
  await database.pool.query(
    `INSERT INTO shop.user (id, name, email) SELECT gen_random_uuid(), 'Buyer', n || '@buyer.example' ${rows}`,
  );
  await database.pool.query(
    `INSERT INTO shop.review (name, rating, description) SELECT 'Buyer', 5, 'Review ' || n ${rows}`,
  );
  await database.pool.query(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description, reorder_point)
     SELECT 'Saw ' || n, '/saw.svg', 100, 1, 1, 'A saw.', n % 5 ${rows}`,
  );
});
afterAll(() => database.drop());

type Export = (store: Store) => Readable | Promise<Readable | Refusal>;

// where the order may change meanwhile, the rows are found first
test.each<[string, number, Export]>([
  ["users", 3, (store) => exportUsers(store, page)],
  ["reviews", 3, (store) => exportReviews(store, page)],
  ["stock", 4, (store) => exportStock(store, page)],
])("the export of %s has each row once, and counts none", async (_, expected, exported) => {
  const statements: unknown[] = [];
  const pool = {
    query: (...given: Parameters<typeof database.pool.query>) => {
      statements.push(given[0]);
      return database.pool.query(...given);
    },
  };
  const file = await text((await exported({ pool } as unknown as Store)) as Readable);
  const rows = file.trim().split("\r\n").slice(1);
  expect([rows.length, new Set(rows).size]).toEqual([ROWS, ROWS]);
  expect(statements).toHaveLength(expected);
});

test.each<[string, Export]>([
  ["stock", (store) => exportStock(store, page)],
  ["products by stock", (store) => exportProducts(store, { sort: "stock", bom: false })],
])("the export of %s has each tool once while their stock changes", async (_, exported) => {
  // after each statement the sorting is the reverse of what it was
  const pool = {
    async query(...given: Parameters<typeof database.pool.query>) {
      const found = await database.pool.query(...given);
      await database.pool.query(
        "UPDATE shop.product SET reorder_point = 5 - reorder_point, quantity = 5000 - quantity",
      );
      return found;
    },
  };
  await database.pool.query("UPDATE shop.product SET quantity = substr(name, 5)::integer");
  const file = await text((await exported({ pool } as unknown as Store)) as Readable);
  const names = [...file.matchAll(/Saw \d+/g)].map(([name]) => name);
  expect([names.length, new Set(names).size]).toEqual([ROWS, ROWS]);
});
