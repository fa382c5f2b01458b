import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { cancelAndRestock } from "./cancel.ts";

const PAGE = 100;
const MOST = 1000;
/** A payment provider that does not respond delays each purchase by a minute. */
const LONGEST_MS = 120_000;

const EXPIRED = `
SELECT id FROM shop.purchase
WHERE status = 'unpaid' AND cancelled_at IS NULL AND placed_at < now() - make_interval(hours => $1)
  AND EXISTS (SELECT FROM shop.payment WHERE purchase_id = purchase.id AND payment.status = 'open') = $2 AND id > $3
ORDER BY id LIMIT $4`;

/**
 * Cancels unpaid purchases whose hold has expired, oldest first, those with an open payment last: at most 1000, and none
 * started after two minutes. Purchases that cannot be cancelled now are left for the next run. Returns the number of
 * cancelled purchases.
 */
export async function expireUnpaidPurchases(store: Store): Promise<number> {
  if (store.unpaidHoldHours === 0) return 0;
  const began = Date.now();
  let [checked, cancelled] = [0, 0];
  const failures: unknown[] = [];
  for await (const id of expired(store)) {
    if (checked === MOST || Date.now() - began > LONGEST_MS) break;
    checked += 1;
    try {
      if (!isRefusal(await cancelAndRestock(store, id, { by: null, because: "expired" }))) cancelled += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some purchases could not be cancelled");
  return cancelled;
}

async function* expired(store: Store): AsyncGenerator<string> {
  for (const hasPayment of [false, true]) {
    let last = "00000000-0000-0000-0000-000000000000";
    for (let full = true; full; ) {
      const values = [store.unpaidHoldHours, hasPayment, last, PAGE];
      const { rows } = await store.pool.query<{ id: string }>(EXPIRED, values);
      for (const { id } of rows) yield id;
      last = rows.at(-1)?.id ?? last;
      full = rows.length === PAGE;
    }
  }
}
