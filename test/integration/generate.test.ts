/** `npm run generate` writes the same rows as the calls. */
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStorage } from "../../providers/pictures/folder.ts";
import { generate } from "../bench/generate.ts";
import { generateOrders } from "../bench/generate-orders.ts";
import { generatePictures } from "../bench/generate-pictures.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.stop());

test("generated customers and orders are consistent, also when more are added", async () => {
  const admin = await adminOf(store);
  const connection = store.pool.options as pg.PoolConfig;
  await generate(connection, 200);
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  await generateOrders(client, { customers: 30, orders: 300 }, () => undefined);
  await generateOrders(client, { customers: 40, orders: 320 }, () => undefined);
  const storage = openFolderStorage(join(store.dataDir, "pictures"));
  await generatePictures(client, storage, 2, () => undefined);
  await client.end();
  const { products } = await admin.call("searchProducts", { query: { limit: 100 } });
  const pictures = products.flatMap(({ picture }) => (picture.startsWith("/pictures/") ? [picture] : []));
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) expect((await fetch(`${store.url}${picture}`)).status).toBe(200);
  await expectConsistentStore(store.pool);
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
  const { counts } = await admin.call("searchPurchases", { query: {} });
  expect(counts.unpaid).toBeGreaterThan(0);
  expect(counts.paid).toBeGreaterThan(0);
  expect(counts.shipped).toBeGreaterThan(300);
  const { orders } = await admin.call("searchPurchases", { query: { limit: 100 } });
  const dates = orders.map(({ placedAt }) => placedAt);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(
    (await admin.call("searchCustomers", { query: { q: "buyer-4" } })).customers[0]?.orders,
  ).toBeGreaterThan(0);
});
