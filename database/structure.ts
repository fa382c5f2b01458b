/** Each migration records what it changed, so that the doctor finds what was dropped, disabled or replaced since. */
import type pg from "pg";

const IN_STORE_SCHEMAS = "schema.nspname IN ('identity', 'shop', 'sandbox')";

export interface StructureRecord {
  table: string;
  /** Reads the objects. State is empty if one is enabled. Needs an empty search_path. */
  present: string;
}

/** PostgreSQL 17 has no column conenforced. */
const OBJECTS = `
SELECT 'trigger' AS kind, format('%s on %I.%I', tgname, nspname, relname) AS name, pg_get_triggerdef(t.oid) AS definition,
  CASE tgenabled WHEN 'O' THEN '' ELSE 'disabled' END AS state
FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid JOIN pg_namespace schema ON schema.oid = relnamespace
WHERE ${IN_STORE_SCHEMAS} AND NOT tgisinternal
UNION ALL
SELECT 'constraint', format('%s on %I.%I', conname, nspname, relname), pg_get_constraintdef(k.oid),
  CASE WHEN to_jsonb(k)->>'conenforced' = 'false' THEN 'not enforced' WHEN NOT convalidated THEN 'not validated'
    WHEN EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = k.oid AND tgenabled <> 'O') THEN 'disabled' ELSE '' END
FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace schema ON schema.oid = relnamespace
WHERE ${IN_STORE_SCHEMAS}
UNION ALL
SELECT 'index', format('%I.%I', nspname, c.relname), pg_get_indexdef(c.oid),
  CASE WHEN indisvalid THEN '' ELSE 'not valid' END
FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_namespace schema ON schema.oid = relnamespace
WHERE ${IN_STORE_SCHEMAS}
UNION ALL
SELECT 'function', format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid)),
  CASE prokind WHEN 'a' THEN 'aggregate' ELSE md5(pg_get_functiondef(p.oid)) END, ''
FROM pg_proc p JOIN pg_namespace schema ON schema.oid = pronamespace WHERE ${IN_STORE_SCHEMAS}`;

const COLUMNS = `
SELECT 'column' AS kind, format('%I of %I.%I', attname, nspname, relname) AS name,
  concat_ws(' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
    CASE WHEN attidentity <> '' THEN 'IDENTITY' WHEN attgenerated <> '' THEN 'GENERATED' WHEN adbin IS NOT NULL THEN 'DEFAULT' END,
    pg_get_expr(adbin, adrelid)) AS definition, '' AS state
FROM pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace schema ON schema.oid = relnamespace
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE ${IN_STORE_SCHEMAS} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`;

/** Columns have a table of their own: nodes of the release before know no such kind, and would miss each of them. */
export const RECORDS: StructureRecord[] = [
  { table: "public.structure", present: OBJECTS },
  { table: "public.structure_column", present: COLUMNS },
];

/** Another major version of PostgreSQL may print the same definition differently. */
export const SERVER_MAJOR = "current_setting('server_version_num')::integer / 10000";

interface SchemaObject {
  kind: string;
  name: string;
  definition: string;
  state: string;
}

/** Creates the tables of expected objects; records all existing ones if migrations ran before a table existed. */
export async function prepareStructure(client: pg.ClientBase, hasMigrations: boolean): Promise<void> {
  for (const record of RECORDS) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${record.table} (kind text, name text, definition text NOT NULL, state text NOT NULL,
         server_major integer NOT NULL, PRIMARY KEY (kind, name))`,
    );
    const { rowCount } = await client.query(`SELECT FROM ${record.table} LIMIT 1`);
    if (!hasMigrations || rowCount !== 0) continue;
    await client.query("BEGIN");
    await saveChanges(client, record, []);
    await client.query("COMMIT");
  }
}

export async function readStructure(
  client: pg.ClientBase,
  { present }: StructureRecord,
): Promise<SchemaObject[]> {
  await client.query("SET LOCAL search_path = ''");
  const { rows } = await client.query<SchemaObject>(present);
  await client.query("SET LOCAL search_path TO DEFAULT");
  return rows;
}

export async function changeStructure(
  client: pg.ClientBase,
  change: (client: pg.ClientBase) => Promise<unknown>,
): Promise<void> {
  await client.query("BEGIN");
  const before: SchemaObject[][] = [];
  for (const record of RECORDS) before.push(await readStructure(client, record));
  await change(client);
  for (const [at, record] of RECORDS.entries()) await saveChanges(client, record, before[at] ?? []);
  await client.query("COMMIT");
}

async function saveChanges(
  client: pg.ClientBase,
  record: StructureRecord,
  before: SchemaObject[],
): Promise<void> {
  const current = await readStructure(client, record);
  const previous = new Map(before.map((object) => [keyOf(object), object]));
  const changed = current.filter((object) => {
    const earlier = previous.get(keyOf(object));
    previous.delete(keyOf(object));
    return earlier?.definition !== object.definition || earlier.state !== object.state;
  });
  await client.query(
    `DELETE FROM ${record.table} AS recorded USING jsonb_to_recordset($1) AS removed (kind text, name text)
     WHERE recorded.kind = removed.kind AND recorded.name = removed.name`,
    [JSON.stringify([...previous.values()])],
  );
  await client.query(
    `INSERT INTO ${record.table} SELECT kind, name, definition, state, ${SERVER_MAJOR}
     FROM jsonb_to_recordset($1) AS recorded (kind text, name text, definition text, state text)
     ON CONFLICT (kind, name) DO UPDATE
     SET definition = excluded.definition, state = excluded.state, server_major = excluded.server_major`,
    [JSON.stringify(changed)],
  );
}

function keyOf({ kind, name }: SchemaObject): string {
  return `${kind} ${name}`;
}
