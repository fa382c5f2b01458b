import type { Product } from "../../api/entities.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { findProduct } from "./queries.ts";

/** It stays in the archive with its orders and its stock ledger. */
export async function deleteProduct(store: Store, id: string): Promise<{ deletedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(
    `UPDATE shop.product SET archived_at = now(), version = version + 1 WHERE id = $1 AND archived_at IS NULL
     RETURNING ${actorSql("$2")}`,
    [id, actorText()],
  );
  return rowCount === 1 ? { deletedCount: 1 } : refuse("missing", refusals.productNotFound);
}

/** Puts an archived product back on sale. Refuses if another one has its item number now. */
export async function restoreProduct(store: Store, id: string): Promise<Product | Refusal> {
  try {
    const { rowCount } = await store.pool.query(
      `UPDATE shop.product SET archived_at = NULL, version = version + 1 WHERE id = $1 AND archived_at IS NOT NULL
       RETURNING ${actorSql("$2")}`,
      [id, actorText()],
    );
    return rowCount === 1 ? findProduct(store, id) : refuse("missing", refusals.archivedNotFound);
  } catch (error) {
    if (isUniqueViolation(error, "product_item_number_key"))
      return refuse("conflict", refusals.itemNumberTaken);
    throw error;
  }
}
