import type { Request } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { FORM_COLUMNS, toColumns } from "./columns.ts";
import { findAdminProduct } from "./queries.ts";

type ProductEdit = Request<"editProduct">["body"];

/** The stock is moved by the difference to what the form showed, so pieces sold meanwhile stay sold. */
const EDIT = `
WITH edited AS (
  UPDATE shop.product SET (${FORM_COLUMNS}) = (
      SELECT ${FORM_COLUMNS} FROM jsonb_populate_record(NULL::shop.product, $3)
    ), quantity = quantity + $4, reorder_point = coalesce($6, reorder_point), version = version + 1,
    archived_at = CASE WHEN $7 THEN coalesce(archived_at, now()) END
  WHERE id = $1 AND version = $2 AND (archived_at IS NULL OR $7::boolean IS NOT NULL) AND quantity + $4 >= 0
  RETURNING id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, user_id)
  SELECT id, $4, 'corrected', (nullif($5, '')::jsonb->>'who')::uuid FROM edited WHERE $4 <> 0
)
SELECT id, ${actorSql("$5")} FROM edited`;

/** `version` is that of the form, `seenQuantity` the stock it showed; `archived` also finds archived products. */
export async function editProduct(store: Store, id: string, edit: ProductEdit): Promise<Product | Refusal> {
  try {
    const { rows } = await store.pool.query<{ id: string }>(EDIT, [
      id,
      edit.version,
      JSON.stringify(toColumns(edit)),
      edit.quantity - edit.seenQuantity,
      actorText(),
      edit.reorderPoint ?? null,
      edit.archived ?? null,
    ]);
    return rows[0] ? await findAdminProduct(store, id) : await refuseEdit(store, id, edit);
  } catch (error) {
    if (isUniqueViolation(error, "product_item_number_key"))
      return refuseField("itemNumber", refusals.itemNumberTaken);
    throw error;
  }
}

async function refuseEdit(store: Store, id: string, edit: ProductEdit): Promise<Refusal> {
  const current = await findAdminProduct(store, id);
  if (isRefusal(current)) return current;
  if (current.archived && edit.archived === undefined) return refuse("missing", refusals.productNotFound);
  if (current.version !== edit.version)
    return refuse("conflict", refusals.productChanged, { present: current });
  const removed = edit.seenQuantity - edit.quantity;
  return refuse("conflict", refusals.stockTooLow(current.quantity, removed), {
    fields: { quantity: refusals.stockTooLow(current.quantity, removed) },
    present: current,
  });
}
