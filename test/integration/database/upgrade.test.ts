/**
 * A store of an earlier release starts on this version, with every order and payment, and the doctor finds nothing.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareJobs } from "../../../server/jobs/tasks.ts";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";
import { payFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, type SignedIn } from "../../harness/users.ts";

interface Table {
  table: string;
  columns: string[];
  rows: string[];
}

const [head, ...lines] = gunzipSync(
  readFileSync(new URL("../../fixtures/release-0.1.0.jsonl.gz", import.meta.url)),
)
  .toString("utf8")
  .trim()
  .split("\n");
const { migrations } = JSON.parse(head ?? "") as { migrations: string[] };
const tables = lines.map((line) => JSON.parse(line) as Table);
const rowsOf = (name: string) =>
  (tables.find(({ table }) => table === name)?.rows ?? []).map((row) => JSON.parse(row));

let database: FreshDatabase;
let store: TestStore;
let admin: SignedIn;

beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
  await restore(database.pool);
  store = await openStore({ database });
  admin = await adminOf(store);
});
afterAll(async () => {
  await store?.stop();
  await database.drop();
});

/** The schema of that release, by its own frozen migrations; then its rows. */
async function restore(pool: pg.Pool): Promise<void> {
  await prepareJobs(pool);
  const client = await pool.connect();
  await client.query(
    "CREATE TABLE public.migration (name text PRIMARY KEY, digest text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())",
  );
  for (const name of migrations) {
    const text = readFileSync(new URL(`../../../database/migrations/${name}`, import.meta.url), "utf8");
    await client.query(text);
    const digest = createHash("sha256").update(text).digest("hex");
    await client.query("INSERT INTO public.migration (name, digest) VALUES ($1, $2)", [name, digest]);
  }
  // the rows are inserted unchanged: without triggers and foreign keys
  await client.query("SET session_replication_role = replica");
  for (const { table, columns, rows } of tables) {
    await client.query(`DELETE FROM ${table}`);
    const names = columns.join(", ");
    await client.query(
      `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [`[${rows.join(",")}]`],
    );
  }
  await client.query("SET session_replication_role = origin");
  const { rows: identities } = await client.query<{ table: string; column: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS "table", column_name AS "column"
     FROM information_schema.columns WHERE is_identity = 'YES' AND table_schema IN ('shop', 'identity', 'sandbox')`,
  );
  for (const { table, column } of identities)
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), greatest((SELECT max(${column}) FROM ${table}), 1))`,
      [table, column],
    );
  // not of an identity column
  await client.query("SELECT setval('shop.catalogue_change', max(changed)) FROM shop.catalogue_place");
  client.release();
}

describe("a store filled by release 0.1.0", () => {
  test("keeps every order with its status, price and total", async () => {
    const before = rowsOf("shop.purchase").filter((row) => row.cancelled_at === null);
    expect(before.length).toBeGreaterThanOrEqual(15);
    const now = await admin.call("listPurchases", { query: { limit: 1000 } });
    const shownBefore = before.map((row) => [row.id, row.status, row.price_cents / 100, row.quantity]);
    const shownNow = now.map((one) => [one._id, one.status, one.price, one.purchaseQuantity]);
    expect(shownNow.toSorted()).toEqual(shownBefore.toSorted());
    for (const { id } of before) expect((await admin.send("findOrder", { params: { id } })).status).toBe(200);
  });

  test("keeps the URLs of its pages", async () => {
    const orders = Map.groupBy(rowsOf("shop.purchase"), (row) => !row.cancelled_at && row.status);
    orders.delete(false);
    const [product] = rowsOf("shop.product").filter((row) => row.archived_at === null);
    const paths = [...orders.values()].flatMap(([{ id }]) => [
      `/dashboard/order/${id}`,
      `/dashboard/payment/${id}`,
    ]);
    expect(paths.length).toBeGreaterThanOrEqual(6);
    for (const path of [...paths, `/product/${product?.id}`, "/dashboard/orders"]) {
      const page = await fetch(store.url + path, { headers: { cookie: admin.cookie } });
      expect([path, page.status, (await page.text()).includes("could not")]).toEqual([path, 200, false]);
    }
  });

  test("keeps its products, and their URLs", async () => {
    const before = rowsOf("shop.product").filter((row) => row.archived_at === null);
    const now = await admin.call("listProducts", { query: { limit: 1000 } });
    expect(now.map(({ _id }) => _id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect((await fetch(`${store.url}/products/${before[0]?.id}`)).status).toBe(200);
    const search = await fetch(`${store.url}/catalog?q=UP+1`);
    expect((await search.json()).tools).toHaveLength(1);
  });

  test("satisfies the doctor", async () => {
    const report = await admin.call("reconcile", {});
    expect(report.faults).toEqual([]);
  });

  test("keeps selling", async () => {
    const product = (await admin.call("listProducts", { query: { limit: 1 } }))[0];
    const order = await admin.call("placePurchase", {
      body: {
        address: "Unit 6",
        productId: product?._id,
        purchaseQuantity: product?.minimum_order ?? 1,
      },
    });
    await payFor(store, admin, order);
    const shipped = await admin.send("shipPurchase", { params: { id: order._id } });
    expect(shipped.status).toBe(200);
    const { faults } = await admin.call("reconcile", {
      query: { since: new Date().toISOString(), wait: 10 },
    });
    expect(faults).toEqual([]);
  });
});
