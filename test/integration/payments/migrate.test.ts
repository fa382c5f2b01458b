/** The sandbox's own migrations, on an empty database and on one where the store's migrations created its tables. */
import { migrateSandbox } from "@stator/stripe-sandbox/migrate";
import type pg from "pg";
import { expect, test } from "vitest";
import { migrate } from "../../../database/migrate.ts";
import { changeStructure, RECORDS, readStructure } from "../../../database/structure.ts";
import { schemaInvariants } from "../../../shop/reconciliation/schema-invariants.ts";
import { type FreshDatabase, freshDatabase } from "../../harness/database.ts";

const COLUMNS = `
SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
WHERE table_schema = 'sandbox' ORDER BY table_name, column_name`;

async function withClient<Result>({ pool }: FreshDatabase, run: (client: pg.PoolClient) => Promise<Result>) {
  const client = await pool.connect();
  try {
    return await run(client);
  } finally {
    client.release();
  }
}

/** As before the sandbox had migrations of its own; the template of the tests has them already. */
async function withTablesOfStore(): Promise<FreshDatabase> {
  const database = await freshDatabase({ migrated: false });
  await migrate(database.pool);
  return database;
}

async function shapeOf(database: FreshDatabase) {
  return withClient(database, async (client) => {
    await client.query("BEGIN");
    const all = [];
    for (const record of RECORDS) all.push(...(await readStructure(client, record)));
    const parts = all.filter(({ name }) => /( on | of |^)sandbox\./.test(name));
    const { rows: columns } = await client.query(COLUMNS);
    await client.query("COMMIT");
    return { parts: parts.sort((one, other) => (one.name < other.name ? -1 : 1)), columns };
  });
}

test("an empty database gets the tables that the store's migrations created", async () => {
  const [empty, ofStore] = [await freshDatabase({ migrated: false }), await withTablesOfStore()];
  try {
    for (const database of [empty, ofStore])
      await withClient(database, async (client) => {
        await client.query("BEGIN");
        expect(await migrateSandbox(client)).toEqual(["0001-sandbox.sql"]);
        expect(await migrateSandbox(client)).toEqual([]);
        await client.query("COMMIT");
      });
    const shape = await shapeOf(empty);
    expect(shape.columns.length).toBeGreaterThan(70);
    expect(shape).toEqual(await shapeOf(ofStore));
  } finally {
    await empty.drop();
    await ofStore.drop();
  }
});

test("existing rows stay, and the doctor knows the structure", async () => {
  const database = await withTablesOfStore();
  try {
    await database.pool.query(
      "INSERT INTO sandbox.idempotency (caller, key, fingerprint, request_id) VALUES ('secret', 'kept', 'f', 'req_1')",
    );
    await withClient(database, (client) => changeStructure(client, migrateSandbox));
    const { rows } = await database.pool.query("SELECT key FROM sandbox.idempotency");
    expect(rows).toEqual([{ key: "kept" }]);
    const recorded = await database.pool.query(
      "SELECT FROM public.structure WHERE name = 'migration_pkey on sandbox.migration'",
    );
    expect(recorded.rowCount).toBe(1);
    await withClient(database, async (client) => {
      await client.query("BEGIN; SET LOCAL search_path = ''");
      for (const discrepancies of Object.values(schemaInvariants))
        expect((await client.query(discrepancies)).rows).toEqual([]);
      await client.query("COMMIT");
    });
  } finally {
    await database.drop();
  }
});

test("a migration that was changed after it ran stops the start", async () => {
  const database = await freshDatabase();
  try {
    await withClient(database, (client) => changeStructure(client, migrateSandbox));
    await database.pool.query("UPDATE sandbox.migration SET digest = 'another'");
    await expect(withClient(database, migrateSandbox)).rejects.toThrow("0001-sandbox.sql was changed");
  } finally {
    await database.drop();
  }
});
