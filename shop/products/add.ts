import type { Request } from "../../api/contract.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Result, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { FORM_COLUMNS, toColumns } from "./columns.ts";

type NewProduct = Request<"addProduct">["body"];

const ADD = `
WITH product AS (
  INSERT INTO shop.product (quantity, ${FORM_COLUMNS})
  SELECT $2::integer, ${FORM_COLUMNS} FROM jsonb_populate_record(NULL::shop.product, $1)
  RETURNING id, quantity
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason)
  SELECT id, quantity, 'received' FROM product WHERE quantity > 0
)
SELECT id, ${actorSql("$3")} FROM product`;

export async function addProduct(store: Store, product: NewProduct): Result<"addProduct"> {
  try {
    const { rows } = await store.pool.query<{ id: string }>(ADD, [
      JSON.stringify(toColumns(product)),
      product.quantity,
      actorText(),
    ]);
    return { insertedId: (rows[0] as { id: string }).id };
  } catch (error) {
    if (isUniqueViolation(error, "product_item_number_key"))
      return refuseField("itemNumber", refusals.itemNumberTaken);
    throw error;
  }
}
