import type { Handler } from "./call.ts";
import type { Db } from "./idempotency.ts";
import { looksLikeId } from "./identifiers.ts";
import { done, missing } from "./responses.ts";

interface PageOptions {
  limit: number;
  starting_after?: string | undefined;
  created?: { [bound in "gt" | "gte" | "lt" | "lte"]?: number | undefined } | undefined;
  payment_intent?: string | undefined;
}

type Table = "payment_intent" | "refund" | "dispute";

const LAST_SECOND = 253_402_300_799;

/** Newest first: all, or those of one `payment_intent`. */
export function listHandler<Row>(table: Table, toJson: (row: Row) => object): Handler<PageOptions> {
  return async ({ db }, params) => {
    const { payment_intent: intentId, starting_after: after = "" } = params;
    if (intentId !== undefined && !(await exists(db, "payment_intent", intentId)))
      return missing("payment_intent", intentId, "payment_intent");
    const page = await pageOf<Row>(db, table, params);
    if (!page) return missing(table, after, "starting_after");
    return done({ object: "list", data: page.rows.map(toJson), has_more: page.more, url: `/v1/${table}s` });
  };
}

export function findHandler<Row>(table: Table, toJson: (row: Row) => object): Handler {
  return async ({ db, id }) => {
    if (!looksLikeId(id)) return missing(table, id, "id");
    const { rows } = await db.query(`SELECT * FROM sandbox.${table} WHERE id = $1`, [id]);
    return rows[0] ? done(toJson(rows[0])) : missing(table, id, "id");
  };
}

/** Up to `limit` rows after the cursor; null if the cursor is unknown. */
async function pageOf<Row>(
  db: Db,
  table: Table,
  options: PageOptions,
): Promise<{ rows: Row[]; more: boolean } | null> {
  const after = options.starting_after;
  if (after !== undefined && !(await exists(db, table, after))) return null;
  const hasIntentId = table !== "payment_intent";
  const [from, until] = secondsBetween(options.created ?? {});
  const { rows } = await db.query(
    `SELECT * FROM sandbox.${table}
     WHERE created_at >= to_timestamp($1) AND created_at < to_timestamp($2)
       AND ($3::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM sandbox.${table} WHERE id = $3))
       ${hasIntentId ? "AND ($5::text IS NULL OR payment_intent_id = $5)" : ""}
     ORDER BY created_at DESC, id DESC LIMIT $4 + 1`,
    [from, until, after ?? null, options.limit, ...(hasIntentId ? [options.payment_intent ?? null] : [])],
  );
  return { rows: rows.slice(0, options.limit), more: rows.length > options.limit };
}

async function exists(db: Db, table: Table, id: string): Promise<boolean> {
  if (!looksLikeId(id)) return false;
  const { rowCount } = await db.query(`SELECT FROM sandbox.${table} WHERE id = $1`, [id]);
  return rowCount === 1;
}

/** The API counts whole seconds; rows have fractions. Returns the first second and the one after the last. */
function secondsBetween(created: NonNullable<PageOptions["created"]>): [number, number] {
  const from = Math.max(0, created.gte ?? 0, (created.gt ?? -1) + 1);
  const until = Math.min(LAST_SECOND, (created.lte ?? LAST_SECOND) + 1, created.lt ?? LAST_SECOND);
  return [Math.min(from, LAST_SECOND), Math.max(until, 0)];
}
