import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Queryable } from "./client.ts";

interface Table {
  name: string;
  columns: string;
}

// The target has its own record of migrations and its own digest of the secret.
const TABLES = `
SELECT format('%I.%I', nspname, relname) AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
FROM pg_class c JOIN pg_namespace schema ON schema.oid = relnamespace
JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
WHERE nspname IN ('identity', 'shop', 'sandbox', 'graphile_worker') AND relkind = 'r'
  AND relname NOT IN ('migration', 'migrations', 'shared_secret')
GROUP BY 1 ORDER BY 1`;

const MIGRATIONS = "SELECT string_agg(name || digest, ',' ORDER BY name) AS ran FROM public.migration";

const FOREIGN_KEYS = `
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
  format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
FROM pg_constraint
WHERE contype = 'f' AND connamespace::regnamespace::text IN ('identity', 'shop', 'sandbox', 'graphile_worker')`;

const SEQUENCES = `
SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences
WHERE schemaname IN ('identity', 'shop', 'sandbox', 'graphile_worker')`;

// Not those of extensions, which a managed database may have from the start.
const ANY_TABLE = `
SELECT oid::regclass::text AS name FROM pg_class c
WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace::regnamespace::text !~ '^(pg_.*|information_schema)$'
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
LIMIT 1`;

const STORE_FOUND = "a store; if a move has copied this one to it, check it with npm run doctor and start it";

/** What makes the database unfit to be copied to. The tables of a store that never started are no obstacle. */
export async function findObstacle(target: Queryable): Promise<string | undefined> {
  const { rows: found } = await target.query(
    `SELECT to_regclass('public.migration') AS migrations, to_regclass('identity."user"') AS accounts`,
  );
  const { migrations, accounts } = found[0];
  if (!migrations) return (await target.query(ANY_TABLE)).rows[0]?.name;
  if (!accounts) return undefined;
  return (await target.query(`SELECT FROM identity."user" LIMIT 1`)).rowCount ? STORE_FOUND : undefined;
}

export interface Copied {
  tables: number;
  rows: number;
}

/**
 * In one transaction with `complete`. Triggers do not fire, and foreign keys are added again at the end: only a superuser may
 * turn their checks off.
 */
export async function copyTables(
  source: pg.ClientBase,
  target: pg.ClientBase,
  complete = async () => {},
): Promise<Copied> {
  const [sourceMigrations, targetMigrations] = [await migrationsOf(source), await migrationsOf(target)];
  if (sourceMigrations !== targetMigrations)
    throw new Error("The store was last run by another release: start it once with this one.");
  const { rows: tables } = await source.query<Table>(TABLES);
  const { rows: sequences } = await source.query<{ name: string }>(SEQUENCES);
  await target.query("BEGIN");
  const { rows: foreignKeys } = await target.query<{ drop: string; add: string }>(FOREIGN_KEYS);
  for (const { drop } of foreignKeys) await target.query(drop);
  let rows = 0;
  for (const table of tables) rows += await copyTable(source, target, table);
  for (const { name } of sequences) {
    const {
      rows: [state],
    } = await source.query<{ last: string; called: boolean }>(
      `SELECT last_value AS last, is_called AS called FROM ${name}`,
    );
    await target.query("SELECT setval($1, $2, $3)", [name, state?.last, state?.called]);
  }
  for (const { add } of foreignKeys) await target.query(add);
  await complete();
  await target.query("COMMIT");
  await target.query("ANALYZE");
  return { tables: tables.length, rows };
}

async function migrationsOf(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ ran: string }>(MIGRATIONS);
  return rows[0]?.ran;
}

async function copyTable(
  source: pg.ClientBase,
  target: pg.ClientBase,
  { name, columns }: Table,
): Promise<number> {
  await target.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  // what migrations have inserted; tables that only grow have nothing yet, and may not be truncated
  if ((await countRows(target, name)) > 0) await target.query(`TRUNCATE ${name}`);
  await pipeline(
    source.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`)),
    target.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`)),
  );
  await target.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  const [expected, copied] = [await countRows(source, name), await countRows(target, name)];
  if (expected !== copied) throw new Error(`${name} has ${expected} rows, of which ${copied} were copied.`);
  return copied;
}

async function countRows(client: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
  return Number(rows[0]?.count);
}
