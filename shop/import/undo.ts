import { isUniqueViolation } from "../../database/pg-errors.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { inTransaction } from "../transaction.ts";
import { type ImportKind, movementNotes } from "./apply.ts";
import { toFileColumn } from "./column-names.ts";
import { type ImportedProduct, UnreadableCell } from "./columns.ts";
import { EXISTING_COLUMNS, type ExistingProduct } from "./find-existing.ts";
import { compareProduct, refuseRow, type StagedRow } from "./stage.ts";
import { QUEUE } from "./start.ts";

const BATCH = 200;

/** Refuses an import that changed nothing, is not done, or is already undone. */
export async function undoImport(store: Store, admin: User, id: string): Promise<{ _id: string } | Refusal> {
  try {
    return await inTransaction(store, async ({ pool }) => {
      const { rows } = await pool.query<{ file_name: string; dry_run: boolean; state: string }>(
        "SELECT file_name, dry_run, state FROM shop.product_import WHERE id = $1 FOR UPDATE",
        [id],
      );
      const [found] = rows;
      if (!found) return refuse("missing", importRefusals.importNotFound);
      if (found.dry_run) return refuse("conflict", importRefusals.notApplied);
      if (found.state !== "done") return refuse("conflict", importRefusals.notDone);
      const { rows: added } = await pool.query<{ id: string }>(
        `INSERT INTO shop.product_import (user_id, file_name, bytes, sha256, dry_run, kind, undoes)
         VALUES ($1, $2, 0, '', false, 'undo', $3) RETURNING id`,
        [admin.id, `Undo of ${found.file_name}`.slice(0, 200), id],
      );
      const undoId = (added[0] as { id: string }).id;
      await pool.query(QUEUE, [undoId]);
      return { _id: undoId };
    });
  } catch (error) {
    if (isUniqueViolation(error, "product_import_undoes_idx"))
      return refuse("conflict", importRefusals.undoneAlready);
    throw error;
  }
}

// The ids of products whose stock was counted after this import moved it: the count has replaced what it did.
const COUNTED_SINCE = `
SELECT moved.product_id FROM unnest($1::uuid[]) AS changed (product_id), LATERAL (
  SELECT product_id, id FROM shop.stock_movement own
  WHERE own.product_id = changed.product_id AND reason = 'corrected' AND note = $2 AND moved_at <= $3
  ORDER BY id DESC LIMIT 1
) AS moved
WHERE EXISTS (
  SELECT FROM shop.stock_movement later
  WHERE later.product_id = moved.product_id AND later.id > moved.id AND reason = 'counted')`;

interface AppliedRow extends Pick<StagedRow, "row" | "cells"> {
  wasNew: boolean;
  applied: ImportedProduct;
  replaced: Partial<ImportedProduct> | null;
}

export async function* stageUndo(
  { pool }: Store,
  importId: string,
): AsyncGenerator<{ rows: StagedRow[]; progress: number }> {
  const found = await pool.query<{ last: number | null; kind: ImportKind; finished_at: Date }>(
    `SELECT kind, finished_at,
       (SELECT max(row) FROM shop.product_import_row WHERE import_id = product_import.id AND is_applied) AS last
     FROM shop.product_import WHERE id = $1`,
    [importId],
  );
  const [undone] = found.rows;
  if (!undone) return;
  for (let after = 0; ; ) {
    const { rows: applied } = await pool.query<AppliedRow & { product_id: string }>(
      `SELECT row, cells, status = 'new' AS "wasNew", product AS applied, before AS replaced, product_id
       FROM shop.product_import_row WHERE import_id = $1 AND is_applied AND row > $2 ORDER BY row LIMIT $3`,
      [importId, after, BATCH],
    );
    const lastApplied = applied.at(-1);
    if (!lastApplied) return;
    const { rows: products } = await pool.query<ExistingProduct>(
      `SELECT ${EXISTING_COLUMNS} FROM shop.product WHERE id = ANY ($1)`,
      [applied.map(({ product_id }) => product_id)],
    );
    const existing = new Map(products.map((product) => [product.id, product]));
    const restocked = applied.filter(({ replaced }) => replaced?.quantity !== undefined);
    const counted = await pool.query<{ product_id: string }>(COUNTED_SINCE, [
      restocked.map(({ product_id }) => product_id),
      movementNotes[undone.kind],
      undone.finished_at,
    ]);
    const countedIds = new Set(counted.rows.map(({ product_id }) => product_id));
    yield {
      rows: applied.map((row) => stageRow(row, existing.get(row.product_id), countedIds.has(row.product_id))),
      progress: lastApplied.row / Math.max(1, undone.last ?? 1),
    };
    after = lastApplied.row;
  }
}

function stageRow(
  row: AppliedRow,
  existing: ExistingProduct | undefined,
  isCountedSince: boolean,
): StagedRow {
  if (row.wasNew) return refuseRow(row, importRefusals.addedByImport);
  if (!existing || existing.archived !== (row.applied.archived ?? false))
    return refuseRow(row, importRefusals.changedSince);
  if (isCountedSince) return refuseRow(row, importRefusals.changedAfterwards("quantity"));
  return compareProduct(row, existing, () => restore(row, existing));
}

/** The stock is moved back by as much as the import moved it, so pieces that were sold since stay sold. */
function restore({ applied, replaced }: AppliedRow, existing: ExistingProduct): Partial<ImportedProduct> {
  const before = replaced ?? {};
  for (const key of Object.keys(before) as (keyof ImportedProduct)[]) {
    const isSame = JSON.stringify(existing[key]) === JSON.stringify(applied[key]);
    if (key !== "quantity" && !isSame)
      throw new UnreadableCell(importRefusals.changedAfterwards(toFileColumn(key)));
  }
  if (before.quantity === undefined) return before;
  const quantity = existing.quantity + before.quantity - applied.quantity;
  if (quantity < 0) throw new UnreadableCell(importRefusals.soldSince);
  return { ...before, quantity };
}
