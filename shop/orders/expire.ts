import { isRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { cancelAndRestock } from "./cancel.ts";

const PAGE = 100;
const MOST = 1000;
/** A provider that is silent keeps each purchase for a minute. */
const LONGEST_MS = 120_000;

const EXPIRED = `
SELECT id FROM shop.purchase
WHERE status = 'unpaid' AND cancelled_at IS NULL AND placed_at < now() - make_interval(hours => $1)
  AND EXISTS (SELECT FROM shop.payment WHERE purchase_id = purchase.id AND payment.status = 'open') = $2 AND id > $3
ORDER BY id LIMIT $4`;

/**
 * Withdraws the purchases whose hold on the stock ran out before they were paid, oldest first, and those for which
 * the card provider is asked last: at most 1000 at a time, and none begun after two minutes. Those that cannot be
 * withdrawn now (paid in this moment, card provider away) are left for next time and keep no other. Returns how many
 * were withdrawn.
 */
export async function expireUnpaidPurchases(store: Store): Promise<number> {
  if (store.unpaidHoldHours === 0) return 0;
  const began = Date.now();
  let [looked, withdrawn] = [0, 0];
  const failures: unknown[] = [];
  for await (const id of expired(store)) {
    if (looked === MOST || Date.now() - began > LONGEST_MS) break;
    looked += 1;
    try {
      if (!isRefusal(await cancelAndRestock(store, id, { by: null, because: "expired" }))) withdrawn += 1;
    } catch (error) {
      // one that fails does not keep the others
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "some purchases could not be withdrawn");
  return withdrawn;
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
