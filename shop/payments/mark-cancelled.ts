import { actorSql, actorText } from "../audit-log/actor.ts";
import type { Store } from "../store.ts";

export async function markCancelled(store: Store, paymentId: string): Promise<void> {
  await store.pool.query(
    `UPDATE shop.payment SET status = 'cancelled' WHERE id = $1 AND status = 'open' RETURNING ${actorSql("$2")}`,
    [paymentId, actorText()],
  );
}
