/** A store on PostgreSQL 17, whose data then moves to 18. */
import { migrateSandbox } from "@stator/stripe-sandbox/migrate";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyTables } from "../../database/copy-tables.ts";
import { migratePackage } from "../../database/migrate.ts";
import { freshDatabase } from "../harness/database.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { logIn, register } from "../harness/users.ts";
import { NO_FAULTS, runDoctor } from "./doctor.ts";
import { admin, type FleetNode, startNode, urlOf } from "./node.ts";
import { hasPostgres17, type Postgres17, startPostgres17 } from "./postgres-17.ts";

const isThere = await hasPostgres17();
if (!isThere) console.warn("Not tested with PostgreSQL 17: npm could not install it.");

describe.skipIf(!isThere)("on PostgreSQL 17", () => {
  let server: Postgres17;
  let node: FleetNode;
  let client: pg.Client;
  const SECRET = "the secret of a store that moves to 18";
  beforeAll(async () => {
    server = await startPostgres17();
    node = await startNode(server.connection, { SECRET, SAMPLE_DATA: "on" });
    client = new pg.Client(server.connection);
    await client.connect();
  }, 240_000);
  afterAll(async () => {
    await client?.end();
    await node?.remove();
    await server?.stop();
  });

  test("an order is placed and paid, and its emails are sent", async () => {
    const store = node as unknown as TestStore;
    const product = await addProduct(await logIn(store, admin));
    const buyer = await register(store, "Ada Buyer");
    const purchase = await placeFor(buyer, product);
    await payFor(store, buyer, purchase);
    const [paid] = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    expect(paid).toMatchObject({ _id: purchase._id, status: "paid" });
    const { rows } = await client.query("SELECT current_setting('server_version') AS version");
    expect(rows[0].version).toMatch(/^17\./);
    const unsent = async () => (await client.query("SELECT FROM graphile_worker._private_jobs")).rowCount;
    await expect.poll(unsent).toBe(0);
  });

  test("ids are of version 7, name their time, and each is greater than the one before", async () => {
    const time = "('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint";
    const { rows } = await client.query(
      `WITH made AS (SELECT n, uuidv7() AS id, extract(epoch FROM clock_timestamp()) * 1000 AS ms
         FROM generate_series(1, 5000) AS n),
       old AS (SELECT uuidv7(interval '-90 days') AS id)
       SELECT array_agg(id ORDER BY n) = array_agg(id ORDER BY id) AS "areSorted",
         array_agg(DISTINCT uuid_extract_version(id)) AS versions, count(DISTINCT id)::int AS count,
         bool_and(ms - ${time} BETWEEN -1 AND 1000) AS "areOfNow",
         (SELECT extract(epoch FROM now() - interval '90 days') * 1000 - ${time} BETWEEN -1000 AND 1000 FROM old)
           AS "isShifted"
       FROM made`,
    );
    expect(rows).toEqual([{ areSorted: true, versions: [7], count: 5000, areOfNow: true, isShifted: true }]);
  });

  test("the doctor finds a dropped constraint, and nothing else", async () => {
    const name = "product_quantity_check";
    await client.query(`ALTER TABLE shop.product DROP CONSTRAINT ${name}`);
    const [status, output] = await runDoctor({ DATABASE_URL: urlOf(server.connection), SECRET });
    expect(output).toContain(`The constraint ${name} on shop.product is missing.`);
    expect(output).toContain("\n1 discrepancy.");
    expect(status).toBe(1);
  });

  test("its data satisfies the doctor on 18", async () => {
    const target = await freshDatabase();
    await migratePackage(target.pool, migrateSandbox);
    const to = await target.pool.connect();
    await copyTables(client, to);
    to.release();
    const doctor = await runDoctor({ DATABASE_URL: urlOf(target.connection), SECRET });
    expect(doctor).toEqual([0, expect.stringMatching(NO_FAULTS)]);
    await target.drop();
  });
});
