import type { Request } from "../../api/contract.ts";
import {
  MAX_LISTS,
  type SavedList,
  type SavedListHeader,
  type SavedListLine,
  type SavedListSummary,
} from "../../api/list-calls.ts";
import { findUnknownProduct } from "../cart/cart.ts";
import { fromCents, MAX_CENTS } from "../money.ts";
import { type Refusal, type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";

interface ListRow {
  id: string;
  name: string;
  version: number;
  changed_at: Date;
}

interface SummaryRow extends ListRow {
  line_count: number;
  pieces: number;
  total_cents: number;
  no_longer_sold: number;
  short_of_stock: number;
  wrong_quantity: number;
  pictures: string[];
}

const LIST_COLUMNS = "list.id, list.name, list.version, list.changed_at";

// Each quantity of a product is priced once, however many lists have it. A line beyond all amounts does not count, as in
// a check of lines.
const SUMMARIES = `
WITH line AS MATERIALIZED (
  SELECT list_id, product_id, quantity FROM shop.saved_list list
  JOIN shop.saved_list_line line ON list_id = list.id WHERE user_id = $1
), checked AS MATERIALIZED (
  SELECT product_id, line.quantity, problem, CASE WHEN problem IS NULL
    THEN line.quantity * shop.unit_price_cents(price_cents, price_breaks, line.quantity) END AS cents
  FROM (SELECT DISTINCT product_id, quantity FROM line) AS line JOIN shop.product ON product.id = product_id,
  LATERAL (SELECT CASE
    WHEN archived_at IS NOT NULL THEN 'no longer sold'
    WHEN line.quantity > product.quantity OR product.quantity - product.quantity % order_multiple < minimum_order
      THEN 'short of stock'
    WHEN line.quantity < minimum_order OR line.quantity % order_multiple <> 0 THEN 'wrong quantity'
  END AS problem) AS product_check
), sums AS (
  SELECT list_id, count(*)::int AS line_count, (sum(quantity) FILTER (WHERE problem IS NULL))::bigint AS pieces,
    (sum(cents) FILTER (WHERE cents <= ${MAX_CENTS}))::bigint AS total_cents,
    (count(*) FILTER (WHERE problem = 'no longer sold'))::int AS no_longer_sold,
    (count(*) FILTER (WHERE problem = 'short of stock'))::int AS short_of_stock,
    (count(*) FILTER (WHERE problem = 'wrong quantity'))::int AS wrong_quantity
  FROM line JOIN checked USING (product_id, quantity) GROUP BY list_id
)
SELECT ${LIST_COLUMNS}, coalesce(line_count, 0) AS line_count, coalesce(pieces, 0) AS pieces,
  coalesce(total_cents, 0) AS total_cents, coalesce(no_longer_sold, 0) AS no_longer_sold,
  coalesce(short_of_stock, 0) AS short_of_stock, coalesce(wrong_quantity, 0) AS wrong_quantity, ARRAY(
    SELECT picture FROM shop.saved_list_line line JOIN shop.product ON product.id = product_id
    WHERE list_id = list.id ORDER BY position LIMIT 4
  ) AS pictures
FROM shop.saved_list list LEFT JOIN sums ON sums.list_id = list.id
WHERE list.user_id = $1 ORDER BY list.changed_at DESC, list.id DESC`;

export async function listSavedLists({ pool }: Store, { id }: User): Promise<{ lists: SavedListSummary[] }> {
  const { rows } = await pool.query<SummaryRow>({ name: "saved-lists", text: SUMMARIES, values: [id] });
  return {
    lists: rows.map((row) => ({
      ...toHeader(row),
      lineCount: row.line_count,
      pieces: row.pieces,
      total: fromCents(row.total_cents),
      problems: {
        noLongerSold: row.no_longer_sold,
        shortOfStock: row.short_of_stock,
        wrongQuantity: row.wrong_quantity,
      },
      pictures: row.pictures,
    })),
  };
}

type WithLines = ListRow & { lines: SavedListLine[] };

const LISTS_WITH_LINES = `
SELECT ${LIST_COLUMNS}, (
  SELECT coalesce(json_agg(json_build_object('productId', product_id, 'quantity', quantity) ORDER BY position), '[]')
  FROM shop.saved_list_line WHERE list_id = list.id
) AS lines
FROM shop.saved_list list`;

export async function exportSavedLists({ pool }: Store, { id }: User): Promise<SavedList[]> {
  const { rows } = await pool.query<WithLines>(
    `${LISTS_WITH_LINES} WHERE list.user_id = $1 ORDER BY list.id`,
    [id],
  );
  return rows.map(toSavedList);
}

export async function findSavedList(store: Store, user: User, listId: string): Promise<SavedList | Refusal> {
  const { rows } = await store.pool.query<WithLines>(
    `${LISTS_WITH_LINES} WHERE list.id = $1 AND list.user_id = $2`,
    [listId, user.id],
  );
  return rows[0] ? toSavedList(rows[0]) : refuseMissingOrForeign(store, listId);
}

export function addSavedList(
  store: Store,
  { id }: User,
  { name, lines }: Request<"addSavedList">["body"],
): Promise<SavedList | Refusal> {
  return inTransaction(store, async (tx) => {
    // serialized, so that two additions do not get the same position
    const { rowCount } = await tx.pool.query(
      "SELECT FROM shop.user WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
      [id],
    );
    if (rowCount === 0) return refuse("missing", refusals.userNotFound);
    const { rows } = await tx.pool.query<ListRow>(
      `INSERT INTO shop.saved_list AS list (user_id, position, name)
       SELECT $1, free.position, $2 FROM generate_series(1, ${MAX_LISTS}) AS free (position)
       WHERE NOT EXISTS (
         SELECT FROM shop.saved_list taken WHERE taken.user_id = $1 AND taken.position = free.position
       ) ORDER BY free.position LIMIT 1
       RETURNING ${LIST_COLUMNS}`,
      [id, name],
    );
    const [list] = rows;
    if (!list) return refuse("conflict", orderRefusals.tooManyLists(MAX_LISTS));
    return (await replaceLines(tx, list.id, lines)) ?? { ...toHeader(list), lines };
  });
}

/** Replaces name and lines. Refuses an outdated version, returning the current list. */
export function saveSavedList(
  store: Store,
  user: User,
  listId: string,
  { version, name, lines }: Request<"saveSavedList">["body"],
): Promise<SavedListHeader | Refusal> {
  return inTransaction(store, async (tx) => {
    const { rows } = await tx.pool.query<{ version: number }>(
      "SELECT version FROM shop.saved_list WHERE id = $1 AND user_id = $2 FOR UPDATE",
      [listId, user.id],
    );
    if (!rows[0]) return refuseMissingOrForeign(tx, listId);
    if (rows[0].version !== version) {
      const present = await findSavedList(tx, user, listId);
      return refuse("conflict", orderRefusals.listChanged, { present: { ...present } });
    }
    const refusal = await replaceLines(tx, listId, lines);
    if (refusal) return refusal;
    const saved = await tx.pool.query<ListRow>(
      `UPDATE shop.saved_list list SET name = $2, version = version + 1, changed_at = now() WHERE id = $1
       RETURNING ${LIST_COLUMNS}`,
      [listId, name],
    );
    return toHeader(saved.rows[0] as ListRow);
  });
}

export async function deleteSavedList(store: Store, user: User, listId: string): Result<"deleteSavedList"> {
  const { rowCount } = await store.pool.query("DELETE FROM shop.saved_list WHERE id = $1 AND user_id = $2", [
    listId,
    user.id,
  ]);
  return rowCount === 1 ? { deletedCount: 1 } : refuseMissingOrForeign(store, listId);
}

/** Writes only rows that differ. Refuses an unknown product. */
async function replaceLines(store: Store, listId: string, lines: SavedListLine[]): Promise<Refusal | null> {
  const unknown = await findUnknownProduct(store, lines);
  if (unknown) return unknown;
  await store.pool.query(
    `MERGE INTO shop.saved_list_line line
     USING (
       SELECT product, line_position, pieces FROM unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS line (product, pieces, line_position)
     ) AS input ON line.list_id = $1 AND line.product_id = input.product
     WHEN NOT MATCHED BY SOURCE AND line.list_id = $1 THEN DELETE
     WHEN MATCHED AND (position, quantity) IS DISTINCT FROM (line_position, pieces)
       THEN UPDATE SET position = line_position, quantity = pieces
     WHEN NOT MATCHED THEN INSERT (list_id, product_id, position, quantity) VALUES ($1, product, line_position, pieces)`,
    [listId, lines.map(({ productId }) => productId), lines.map(({ quantity }) => quantity)],
  );
  return null;
}

async function refuseMissingOrForeign({ pool }: Store, listId: string): Promise<Refusal> {
  const { rowCount } = await pool.query("SELECT FROM shop.saved_list WHERE id = $1", [listId]);
  return rowCount === 1
    ? refuse("forbidden", refusals.notYours)
    : refuse("missing", orderRefusals.listNotFound);
}

function toHeader({ id, name, version, changed_at }: ListRow): SavedListHeader {
  return { _id: id, name, version, changedAt: changed_at.toISOString() };
}

function toSavedList({ lines, ...row }: WithLines): SavedList {
  return { ...toHeader(row), lines };
}
