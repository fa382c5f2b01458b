import type { Request } from "../../api/contract.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { toCents } from "../money.ts";
import { type Result, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

type NewProduct = Request<"addProduct">["body"];

const ADD = `
WITH product AS (
  INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description,
    item_number, category, key_fact, power_source, technical_data, drawn_box, dimensions, order_multiple, price_breaks)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  RETURNING id, quantity
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason)
  SELECT id, quantity, 'received' FROM product WHERE quantity > 0
)
SELECT id, ${actorSql("$16")} FROM product`;

export async function addProduct(store: Store, product: NewProduct): Result<"addProduct"> {
  try {
    const { rows } = await store.pool.query<{ id: string }>(ADD, [
      ...valuesOf(product, product.quantity),
      actorText(),
    ]);
    return { insertedId: (rows[0] as { id: string }).id };
  } catch (error) {
    if (isUniqueViolation(error, "product_item_number_key"))
      return refuseField("itemNumber", refusals.itemNumberTaken);
    throw error;
  }
}

/** In the order of the parameters of the statements that add and edit; `pieces` replaces the stock. */
export function valuesOf(product: NewProduct, pieces: number): unknown[] {
  return [
    product.name,
    product.picture,
    toCents(product.price),
    pieces,
    product.minimum_order,
    product.description,
    product.itemNumber ?? null,
    product.category ?? null,
    product.keyFact ?? null,
    product.powerSource ?? null,
    product.technicalData ? JSON.stringify(product.technicalData) : null,
    product.drawnBox ? JSON.stringify(product.drawnBox) : null,
    product.dimensions ? JSON.stringify(product.dimensions) : null,
    product.order_multiple ?? 1,
    JSON.stringify(
      (product.price_breaks ?? []).map(({ quantity, price }) => ({ quantity, price_cents: toCents(price) })),
    ),
  ];
}
