import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { cancelAndRestock } from "./cancel.ts";

const PAGE = 100;
const MAX_ORDERS_PER_RUN = 1000;
/** A payment provider that does not respond delays each order by a minute. */
const MAX_RUN_MS = 120_000;

const EXPIRED = `
SELECT order_id, array_agg(id) AS lines FROM shop.purchase
WHERE status = 'unpaid' AND cancelled_at IS NULL AND placed_at < now() - make_interval(hours => $1) AND order_id > $3
GROUP BY order_id
HAVING bool_or(EXISTS (SELECT FROM shop.payment_purchase WHERE purchase_id = purchase.id AND is_open)) = $2
ORDER BY order_id LIMIT $4`;

/** Oldest first, those with an open payment last; what exceeds the limits is left for the next run, as after `stopping`. */
export async function expireUnpaidPurchases(store: Store, stopping?: AbortSignal): Promise<number> {
  if (store.unpaidHoldHours === 0) return 0;
  const began = performance.now();
  let [checked, cancelled] = [0, 0];
  const failures: unknown[] = [];
  for await (const lines of expired(store)) {
    if (stopping?.aborted || checked === MAX_ORDERS_PER_RUN || performance.now() - began > MAX_RUN_MS) break;
    checked += 1;
    try {
      if (!isRefusal(await cancelAndRestock(store, lines, { by: null, because: "expired" }))) cancelled += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some orders could not be cancelled");
  return cancelled;
}

async function* expired(store: Store): AsyncGenerator<string[]> {
  for (const hasPayment of [false, true]) {
    let last = "00000000-0000-0000-0000-000000000000";
    for (let full = true; full; ) {
      const values = [store.unpaidHoldHours, hasPayment, last, PAGE];
      const { rows } = await store.pool.query<{ order_id: string; lines: string[] }>(EXPIRED, values);
      for (const { lines } of rows) yield lines;
      last = rows.at(-1)?.order_id ?? last;
      full = rows.length === PAGE;
    }
  }
}
