import type { ProductImport } from "../../api/import-calls.ts";
import type { Queryable } from "../../database/client.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import type { Store } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { inTransaction } from "../transaction.ts";
import { type Claim, lockClaim } from "./claim.ts";
import { IMPORTED_COLUMNS } from "./column-names.ts";
import { newProductDefaults } from "./read-record.ts";

/** A batch locks its products, for which buyers may wait, for some ten milliseconds. */
const BATCH = 250;

const IMPORTED = IMPORTED_COLUMNS.join(", ");

// A row that another release compared may lack a column, which then stays as it is, or is the default of a new product.
// The products are locked in the same order as by orders, and must still be on sale or archived. Of several that are
// put back on sale with the same item number, the first gets it. Stock is moved by the difference between the file and
// the stock at the comparison, so pieces that were sold meanwhile stay sold.
const CHANGE = `
WITH batch AS (
  SELECT row, product_id, version, product, before FROM shop.product_import_row
  WHERE import_id = $1 AND row = ANY ($2) AND status = 'changed' AND NOT is_applied
), locked AS (
  SELECT id, quantity, item_number, archived_at FROM shop.product
  WHERE id IN (SELECT product_id FROM batch) ORDER BY id FOR NO KEY UPDATE
), target AS (
  SELECT batch.*, coalesce((product->>'archived')::boolean, false) AS archived,
    archived_at IS NOT NULL AND NOT coalesce((product->>'archived')::boolean, false) AND item_number IS NOT NULL AND (
      EXISTS (SELECT FROM shop.product other WHERE other.item_number = locked.item_number AND other.archived_at IS NULL)
      OR row_number() OVER (PARTITION BY item_number, archived_at IS NULL ORDER BY row) > 1) AS number_taken,
    locked.quantity + coalesce((product->>'quantity')::integer - (before->>'quantity')::integer, 0) AS stock,
    coalesce((product->>'quantity')::integer - (before->>'quantity')::integer, 0) AS stock_change
  FROM batch JOIN locked ON locked.id = batch.product_id
    AND (archived_at IS NOT NULL) = coalesce((before->>'archived')::boolean, (product->>'archived')::boolean, false)
), changed AS (
  UPDATE shop.product SET (${IMPORTED}) = (
      SELECT ${IMPORTED}
      FROM jsonb_populate_record(product.*, target.product || jsonb_build_object('quantity', target.stock))
    ), version = product.version + 1,
    archived_at = CASE WHEN target.archived THEN coalesce(archived_at, now()) END
  FROM target
  WHERE product.id = target.product_id AND product.version = target.version AND target.stock >= 0
    AND NOT number_taken
  RETURNING product.id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, user_id, note)
  SELECT product_id, stock_change, 'corrected', $3, $7 FROM target
  WHERE stock_change <> 0 AND product_id IN (SELECT id FROM changed)
), applied AS (
  UPDATE shop.product_import_row SET is_applied = true
  WHERE import_id = $1 AND row = ANY ($2) AND product_id IN (SELECT id FROM changed)
), refused AS (
  UPDATE shop.product_import_row AS staged SET status = 'refused',
    reason = CASE WHEN target.stock < 0 THEN $4 WHEN number_taken THEN $8 ELSE $5 END
  FROM batch LEFT JOIN target ON target.row = batch.row
  WHERE staged.import_id = $1 AND staged.row = ANY ($2) AND staged.row = batch.row AND batch.product_id NOT IN (SELECT id FROM changed)
  RETURNING 1
)
SELECT (SELECT count(*) FROM refused) AS refused, ${actorSql("$6")}`;

const ADD = `
WITH batch AS (
  SELECT row, product FROM shop.product_import_row
  WHERE import_id = $1 AND row = ANY ($2) AND status = 'new' AND NOT is_applied
), added AS (
  INSERT INTO shop.product (${IMPORTED})
  SELECT ${IMPORTED} FROM batch, jsonb_populate_record(NULL::shop.product, $5::jsonb || product) ORDER BY row
  ON CONFLICT (item_number) WHERE archived_at IS NULL DO NOTHING
  RETURNING id, item_number, quantity
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason)
  SELECT id, quantity, 'received' FROM added WHERE quantity > 0
), applied AS (
  UPDATE shop.product_import_row SET is_applied = true, product_id = added.id
  FROM added
  WHERE import_id = $1 AND row = ANY ($2) AND added.item_number = product->>'item_number'
), refused AS (
  UPDATE shop.product_import_row AS staged SET status = 'refused', reason = $3
  FROM batch LEFT JOIN added ON added.item_number = batch.product->>'item_number'
  WHERE staged.import_id = $1 AND staged.row = ANY ($2) AND staged.row = batch.row AND added.id IS NULL
  RETURNING 1
)
SELECT (SELECT count(*) FROM refused) AS refused, ${actorSql("$4")}`;

// Counts rows as refused that were refused after the comparison.
const COUNT = `
UPDATE shop.product_import SET created = created - $2, changed = changed - $3, refused = refused + $2 + $3,
  progress = greatest(progress, $4)
WHERE id = $1`;

export type ImportKind = ProductImport["kind"];

/** Of its movements of stock, by which an undo finds them. */
export const movementNotes: Record<ImportKind, string> = {
  file: "Import",
  bulk: "Bulk change",
  undo: "Undo",
};

/** Applies the next rows in one transaction; false if none is left. */
export async function applyBatch(store: Store, claim: Claim): Promise<boolean> {
  const importId = claim.id;
  return inTransaction(store, async ({ pool }) => {
    await lockClaim(pool, claim);
    const { rows } = await pool.query<{
      row: number;
      status: "new" | "changed";
      user_id: string;
      kind: ImportKind;
      rows: number;
    }>(
      `SELECT row, status, user_id, kind, rows FROM shop.product_import_row staged
       JOIN shop.product_import ON product_import.id = import_id
       WHERE import_id = $1 AND status IN ('new', 'changed') AND NOT is_applied ORDER BY row LIMIT ${BATCH}`,
      [importId],
    );
    const [first] = rows;
    const last = rows.at(-1);
    if (!first || !last) return false;
    const rowsWith = (status: string) => rows.filter((row) => row.status === status).map(({ row }) => row);
    // added products lock the catalogue, for which an order waits that has locked its products
    const notChanged = await changeProducts(pool, importId, rowsWith("changed"), first);
    const notAdded = await addProducts(pool, importId, rowsWith("new"));
    const progress = 0.5 + 0.5 * Math.min(1, last.row / Math.max(1, first.rows + 1));
    await pool.query(COUNT, [importId, notAdded, notChanged, progress]);
    return true;
  });
}

async function addProducts(db: Queryable, importId: string, rows: number[]): Promise<number> {
  if (rows.length === 0) return 0;
  const found = await db.query<{ refused: number }>(ADD, [
    importId,
    rows,
    importRefusals.itemNumberTaken,
    actorText(),
    JSON.stringify(newProductDefaults),
  ]);
  return found.rows[0]?.refused ?? 0;
}

async function changeProducts(
  db: Queryable,
  importId: string,
  rows: number[],
  { user_id, kind }: { user_id: string; kind: ImportKind },
): Promise<number> {
  if (rows.length === 0) return 0;
  const found = await db.query<{ refused: number }>(CHANGE, [
    importId,
    rows,
    user_id,
    importRefusals.soldSince,
    importRefusals.changedSince,
    actorText(),
    movementNotes[kind],
    importRefusals.itemNumberInUse,
  ]);
  return found.rows[0]?.refused ?? 0;
}
