import { isUniqueViolation } from "../../database/pg-errors.ts";
import type { Refund } from "../payments/provider.ts";
import type { Store } from "../store.ts";
import { markRefundFailed } from "./fail.ts";
import { markRefundDone, submitRefund } from "./submit.ts";

// What an owner gives back at the provider's own desk counts as given back here, and its buyer is told too.
const ADOPT = `
WITH paid AS (
  UPDATE shop.purchase SET refunded_cents = refunded_cents + $3
  WHERE transaction_id = $1 AND refunded_cents + $3 <= total_cents
    AND NOT EXISTS (SELECT FROM shop.refund WHERE provider_id = $2)
  RETURNING id
), adopted AS (
  INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin, status, provider_id, done_at)
  SELECT $1, id, $3, 'Refunded by the store.', 'provider', 'done', $2, now() FROM paid
  RETURNING id, purchase_id
)
SELECT shop.queue_email(json_build_object('mail', 'refundIssued', 'purchaseId', purchase_id, 'refundId', id))
FROM adopted`;

// There it was tried once more, or given back in a way that the provider knows.
const FAILED_AT_PROVIDER = `
SELECT id, attempt FROM shop.refund came_back
WHERE payment_id = $1 AND status = 'failed' AND amount_cents = $3
  AND NOT EXISTS (SELECT FROM shop.refund WHERE provider_id = $2)
ORDER BY asked_at LIMIT 1`;

/**
 * Brings our books up to the provider's refunds of one payment: finishes those of ours that were cut off, takes over
 * those that were made elsewhere, and hears of those that came back. Safe to call any number of times. Returns how
 * many were new to us.
 */
export async function syncRefunds(store: Store, paymentId: string): Promise<number> {
  let adopted = 0;
  for await (const refund of store.payments.refundsOf(paymentId)) {
    const isOurs = await finishOurs(store, refund);
    if (refund.status === "failed") adopted += Number(await markRefundFailed(store, refund));
    else if (!isOurs) adopted += await adoptRefund(store, paymentId, refund);
  }
  return adopted;
}

async function finishOurs(store: Store, { reference }: Refund): Promise<boolean> {
  if (reference === null) return false;
  const { rows } = await store.pool.query<{ id: string; status: string }>(
    "SELECT id, status FROM shop.refund WHERE id::text = $1",
    [reference],
  );
  if (rows[0]?.status === "due") await submitRefund(store, rows[0].id);
  return rows.length > 0;
}

async function adoptRefund(store: Store, paymentId: string, refund: Refund): Promise<number> {
  const values = [paymentId, refund.id, refund.amountCents];
  try {
    const { rows } = await store.pool.query<{ id: string; attempt: number }>(FAILED_AT_PROVIDER, values);
    if (!rows[0]) return (await store.pool.query(ADOPT, values)).rowCount ?? 0;
    await markRefundDone(store, rows[0], refund.id);
    return 1;
  } catch (error) {
    if (isUniqueViolation(error, "refund_provider_id_key")) return 0;
    throw error;
  }
}
