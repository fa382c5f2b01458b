/**
 * Every statement of the product is prepared by PostgreSQL on the migrated schema, and the TypeScript types of its
 * rows and parameters are compared with PostgreSQL's.
 */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invariants } from "../../shop/reconciliation/invariants.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { readStatements, type Statement } from "./statements.ts";

/** Their texts are not known before they run. */
const NOT_READ = [
  "database/migrate.ts",
  "packages/stripe-sandbox/src/migrate.ts",
  "database/structure.ts",
  // one for each of the tables
  "database/copy-tables.ts",
  // a command of the replication protocol
  "database/embedded/base-backup.ts",
  "database/pagination.ts",
  // Better Auth's own queries
  "providers/identity/connect-identity.ts",
  // a condition per filter
  "shop/catalogue/index/list.ts",
  // only where PostgreSQL has no such function
  "database/uuid-v7.ts",
  // one of the sandbox's tables
  "packages/stripe-sandbox/src/idempotency.ts",
  "packages/stripe-sandbox/src/paging.ts",
  // all of shop/reconciliation/invariants.ts, below
  "shop/reconciliation/check.ts",
];

const { statements, unreadable } = readStatements(
  (file) => /^(shop|server|providers|database|packages)\//.test(file) && !NOT_READ.includes(file),
);

interface Description {
  parameters: number[];
  columns: pg.FieldDef[];
}

let database: FreshDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test("the text of every statement is known before it runs", () => {
  expect(statements.length).toBeGreaterThan(150);
  expect(unreadable).toEqual([]);
});

test.each(Object.entries(invariants))("%s", async (_claim, discrepancies) => {
  const { columns, parameters } = await describeStatement(discrepancies);
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(["detail", "purchase_id"]));
  expect(parameters.length).toBeLessThanOrEqual(1);
});

test("rows and parameters match PostgreSQL's types", async () => {
  const problems: string[] = [];
  for (const statement of statements.flatMap(commandsOf)) {
    const described = await describeStatement(statement.text).catch((error: Error) => error.message);
    const found = typeof described === "string" ? [described] : differences(statement, described);
    problems.push(...found.map((problem) => `${statement.at} ${problem}`));
  }
  expect([...new Set(problems)]).toEqual([]);
});

const [TEXT_ARRAY, UUID_ARRAY, INT4_ARRAY, INT8_ARRAY] = [1009, 2951, 1007, 1016];

/** TypeScript's types for the values of a PostgreSQL type, as read and as parameters. */
const { builtins } = pg.types;
const types: Record<number, { read: string; accepted: RegExp }> = {
  [builtins.BOOL]: { read: "boolean", accepted: /^boolean$/ },
  ...same([builtins.INT2, builtins.INT4, builtins.FLOAT8, builtins.NUMERIC], "number", /^number$/),
  ...same([builtins.TEXT, builtins.VARCHAR, builtins.UUID, builtins.INET], "string", /^string$/),
  // as a string, an id from a request
  [builtins.INT8]: { read: "number", accepted: /^(number|string)$/ },
  [builtins.TIMESTAMPTZ]: { read: "Date", accepted: /^(Date|string)$/ },
  ...same([builtins.JSON, builtins.JSONB], "json", /^(string|object)$/),
  [builtins.BYTEA]: { read: "object", accepted: /^object$/ },
  ...same([TEXT_ARRAY, UUID_ARRAY], "string[]", /^string\[\]$/),
  ...same([INT4_ARRAY, INT8_ARRAY], "number[]", /^number\[\]$/),
};

function unknownType(id: number | undefined): string {
  const [name] = Object.entries(builtins).find(([, one]) => one === id) ?? [`type ${id}`];
  return `${name}, which is missing in the types of this test; database/client.ts decides how it is read`;
}

function same(ids: readonly number[], read: string, accepted: RegExp) {
  return Object.fromEntries(ids.map((id) => [id, { read, accepted }]));
}

function differences({ row, readsRows, parameters, complete }: Statement, described: Description): string[] {
  const columns = new Map(described.columns.map((column) => [column.name, column.dataTypeID]));
  columns.delete("?column?");
  if (readsRows && !row && columns.size > 0) return ["reads rows and declares no type of its rows"];
  const problems = Object.entries(row ?? {}).flatMap(([name, declared]) => {
    const id = columns.get(name);
    if (id === undefined) return declared.includes("undefined") ? [] : [`has no column ${name}`];
    const read = types[id]?.read ?? unknownType(id);
    const kinds = declared.split(" | ").filter((kind) => kind !== "null" && kind !== "undefined");
    const fits = read === "json" || kinds.includes(read);
    return fits ? [] : [`reads ${name} as ${declared}; PostgreSQL has ${read}`];
  });
  if (complete && parameters.length !== described.parameters.length)
    problems.push(
      `gives ${parameters.length} parameters; PostgreSQL expects ${described.parameters.length}; those of a call are read from its list, or from an object with text and values in its function`,
    );
  parameters.forEach((declared, at) => {
    const id = described.parameters[at] as number;
    const kinds = declared.split(" | ").filter((kind) => kind !== "null" && kind !== "undefined");
    if (!kinds.every((kind) => types[id]?.accepted.test(kind)))
      problems.push(
        `gives $${at + 1} as ${declared}; PostgreSQL expects ${types[id]?.accepted ?? unknownType(id)}`,
      );
  });
  return problems;
}

/** A text without parameters may have several commands, which can only be prepared one by one. */
function commandsOf(statement: Statement): Statement[] {
  if (statement.parameters.length > 0 || !statement.complete) return [statement];
  return statement.text.split(/;\s+/).map((text) => ({ ...statement, text }));
}

/** PostgreSQL's description of a statement, without running it. */
function describeStatement(text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    const description: Description = { parameters: [], columns: [] };
    const query = {
      submit(connection: pg.Connection) {
        connection.removeAllListeners("parameterDescription");
        connection.once("parameterDescription", ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          description.parameters = dataTypeIDs;
        });
        connection.parse({ text, name: "", types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
        description.columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(description),
    };
    client.query(query as unknown as pg.Submittable);
  });
}
