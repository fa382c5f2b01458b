/** Succeeded payments that are not what was asked for: something other than the store changed them at the provider. */
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { markCancelled } from "./mark-cancelled.ts";
import type { Intent } from "./provider.ts";

interface Asked {
  purchase_id: string;
  loose: boolean;
  amount_cents: number;
}

export function isAsAsked(intent: Intent, asked: Asked): boolean {
  return (
    asked.amount_cents === intent.amountReceivedCents &&
    intent.currency === "usd" &&
    // an earlier version could reassign such a payment to another order of the same total
    (asked.loose || asked.purchase_id === intent.purchaseId)
  );
}

// Once, since it is found by each poll. Reconciliation says what to do, and the overview links to it.
const REPORT = `
SELECT shop.remember('unmatched', 'payment', id, purchase_id, NULL, NULL),
  graphile_worker.add_job('check-books', job_key := 'check-books')
FROM shop.payment WHERE id = $1 AND status IN ('open', 'cancelled')
  AND NOT EXISTS (SELECT FROM shop.event WHERE subject = 'payment' AND subject_id = $1 AND what = 'unmatched')`;

/** Reports it to admins, who return the money at the provider; then the order can be paid or cancelled. */
export async function handleUnmatched(store: Store, intent: Intent): Promise<Refusal> {
  if (await isReturned(store, intent)) {
    await markCancelled(store, intent.id);
    return refuse("conflict", paymentRefusals.transactionReturned);
  }
  await store.pool.query(REPORT, [intent.id]);
  return refuse("conflict", paymentRefusals.transactionDiffers);
}

/** Whether all of it was refunded at the provider. */
export async function isReturned(store: Store, intent: Intent): Promise<boolean> {
  let left = intent.amountReceivedCents;
  for await (const { status, amountCents } of store.payments.refundsOf(intent.id))
    if (status !== "failed") left -= amountCents;
  return left <= 0;
}
