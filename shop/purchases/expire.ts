import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { withdrawPurchase } from "./cancel.ts";

/**
 * Withdraws the purchases whose hold on the stock ran out before they were paid, oldest first, at most 100 at
 * a time. Those that cannot be withdrawn now (paid in this moment, card provider away) are left for next time.
 * Returns how many were withdrawn.
 */
export async function expireUnpaidPurchases(store: Store): Promise<number> {
  if (store.unpaidHoldHours === 0) return 0;
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT id FROM shop.purchase
     WHERE status = 'unpaid' AND cancelled_at IS NULL AND placed_at < now() - make_interval(hours => $1)
     ORDER BY id LIMIT 100`,
    [store.unpaidHoldHours],
  );
  let withdrawn = 0;
  const failures: unknown[] = [];
  for (const { id } of rows) {
    try {
      if (!isRefusal(await withdrawPurchase(store, id, { by: null, because: "expired" }))) withdrawn += 1;
    } catch (error) {
      // one that fails does not keep the others
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some purchases could not be withdrawn");
  return withdrawn;
}
