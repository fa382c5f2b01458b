/** The exports of lists, beyond one read of rows. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportReviews, exportStock, exportUsers } from "../../../shop/exports/export-lists.ts";
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

test.each<[string, (store: Store) => Promise<Readable | Refusal>]>([
  ["users", (store) => exportUsers(store, page)],
  ["reviews", (store) => exportReviews(store, page)],
  ["stock", (store) => exportStock(store, page)],
])("the export of %s has each row once, and counts none", async (_, exported) => {
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
  expect(statements).toHaveLength(3);
});
