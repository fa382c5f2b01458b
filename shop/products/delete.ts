import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

/** Removes a product from sale; its orders and stock ledger stay. */
export async function deleteProduct(store: Store, id: string): Promise<{ deletedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(
    `UPDATE shop.product SET archived_at = now(), item_number = NULL WHERE id = $1 AND archived_at IS NULL
     RETURNING ${actorSql("$2")}`,
    [id, actorText()],
  );
  return rowCount === 1 ? { deletedCount: 1 } : refuse("missing", refusals.productNotFound);
}
