/** The migrations of a database. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPool } from "../../../database/client.ts";
import { migrate, migrateAndSeed, migratePackage } from "../../../database/migrate.ts";
import { schemaInvariants } from "../../../shop/reconciliation/schema-invariants.ts";
import { freshDatabase, waitingStatements } from "../../harness/database.ts";

const NAME = "0016-disputes-at-a-glance.sql";

test("a migration that cannot lock a table lets others pass; without its connection it names the reason", async () => {
  const { pool, connection, drop } = await freshDatabase();
  await pool.query(
    `DROP INDEX shop.purchase_disputed_idx; DELETE FROM public.migration WHERE name = '${NAME}'`,
  );
  const holder = await pool.connect();
  await holder.query("BEGIN; LOCK TABLE shop.purchase IN ROW EXCLUSIVE MODE");
  const starting = openPool(connection, () => undefined);
  const migrating = migrate(starting).catch((error: Error) => error.message);
  await expect.poll(() => waitingStatements(pool)).toBe(1);
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expect(await migrating).toBe(
    `The migration ${NAME} failed: terminating connection due to administrator command`,
  );
  const again = migrate(starting);
  await expect.poll(() => waitingStatements(pool)).toBe(1);
  await pool.query("DELETE FROM shop.purchase");
  await holder.query("ROLLBACK");
  holder.release();
  expect(await again).toEqual([NAME]);
  await starting.end();
  await drop();
});

test("time limits of the role end neither a migration nor the doctor, nor the lock while a store is seeded", async () => {
  const { pool, connection, drop } = await freshDatabase();
  const limits = ["statement_timeout", "transaction_timeout", "idle_session_timeout"];
  for (const limit of limits)
    await pool.query(`ALTER DATABASE ${connection.database} SET ${limit} = '100ms'`);
  const starting = openPool(connection, () => undefined);
  await migratePackage(starting, (client) => client.query("SELECT pg_sleep(0.2)"));
  const locks = await migrateAndSeed(starting, async () => {
    await pause(300);
    const held = await pool.query(
      `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
    );
    return held.rowCount;
  });
  expect(locks).toBe(1);
  await starting.end();
  const doctor = openPool({ ...connection, isUnlimited: true }, () => undefined);
  await doctor.query("SELECT pg_sleep(0.2)");
  await doctor.end();
  await drop();
});

test("each migration records its objects; a later one does not accept what was dropped by hand", async () => {
  const { pool, drop } = await freshDatabase();
  const missing = async () => {
    const client = await pool.connect();
    await client.query("BEGIN; SET LOCAL search_path = ''");
    const { rows } = await client.query<{ detail: string }>(Object.values(schemaInvariants)[0] ?? "");
    await client.query("COMMIT");
    client.release();
    return rows.map(({ detail }) => detail);
  };
  await pool.query(`ALTER TABLE shop.product DROP CONSTRAINT product_quantity_check;
    DROP INDEX shop.purchase_disputed_idx; DELETE FROM public.migration WHERE name = '${NAME}'`);
  expect(await migrate(pool)).toEqual([NAME]);
  expect(await missing()).toEqual(["The constraint product_quantity_check on shop.product is missing."]);
  // a store from before the record existed records the current objects
  await pool.query("DROP TABLE public.structure, public.structure_column");
  expect(await migrate(pool)).toEqual([]);
  expect(await missing()).toEqual([]);
  await pool.query(
    "DROP INDEX shop.purchase_disputed_idx; ALTER TABLE shop.review ALTER written_at DROP DEFAULT",
  );
  expect(await missing()).toEqual([
    "The index shop.purchase_disputed_idx is missing.",
    "The column written_at of shop.review is not as its migration made it.",
  ]);
  await drop();
});

test("functions keep the settings that CREATE OR REPLACE drops unless it repeats them", async () => {
  const { pool, drop } = await freshDatabase();
  const { rows } = await pool.query<{ name: string; settings: string }>(
    `SELECT oid::regprocedure::text AS name, array_to_string(proconfig, ', ') AS settings FROM pg_proc
     WHERE pronamespace = 'shop'::regnamespace AND proconfig IS NOT NULL ORDER BY name`,
  );
  expect(Object.fromEntries(rows.map(({ name, settings }) => [name, settings]))).toEqual({
    "shop.issue_invoices(uuid[])": "plan_cache_mode=force_generic_plan",
    "shop.place_order(jsonb,bigint,bigint)": "plan_cache_mode=force_generic_plan",
    "shop.similar_words(text)": "pg_trgm.similarity_threshold=0.2",
  });
  await drop();
});
