import { cancelOpenPayment } from "../payments/cancel.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Person, Store } from "../store.ts";
import { findPurchaseRow, purchaseRefusal } from "./queries.ts";
import { cancelProblem } from "./rules.ts";

type Because = "buyer" | "admin" | "expired";

// The stock goes back with the same statement that cancels: once, and only for what is still unpaid.
const CANCEL = `
WITH gone AS (
  UPDATE shop.purchase SET cancelled_at = now(), cancelled_by = $2, cancelled_because = $3
  WHERE id = $1 AND status = 'unpaid' AND cancelled_at IS NULL
  RETURNING id, product_id, quantity
), product AS (
  UPDATE shop.product SET quantity = product.quantity + gone.quantity FROM gone WHERE product.id = gone.product_id
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  SELECT product_id, quantity, 'cancelled', id FROM gone
)
SELECT (graphile_worker.add_job('send-mail', json_build_object('mail', $4::text, 'purchaseId', id))).id FROM gone`;

/**
 * Cancels an unpaid purchase for its buyer or an admin, and gives its stock back (specification, section 4).
 * An open card payment is cancelled first; had it already succeeded, the purchase becomes paid and this is
 * refused. Refuses strangers, what is gone, paid or shipped, and (nothing changed) when the card provider
 * cannot be reached.
 */
export async function cancelPurchase(
  store: Store,
  person: Person,
  id: string,
): Promise<{ deletedCount: number } | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, person);
  if (refusal) return refusal;
  return withdrawPurchase(store, id, person.id, row?.user_id === person.id ? "buyer" : "admin");
}

/** Cancels whoever asks: by a person, or because the hold on its stock ran out (`by` is null). */
export async function withdrawPurchase(
  store: Store,
  id: string,
  by: string | null,
  because: Because,
): Promise<{ deletedCount: number } | Refusal> {
  const row = await findPurchaseRow(store, id);
  const problem = row && cancelProblem(row.status);
  if (problem) return refuse("conflict", problem);
  const payment = await cancelOpenPayment(store, id);
  if (isRefusal(payment)) return payment;
  const mail = because === "expired" ? "purchaseExpired" : "purchaseCancelled";
  const { rowCount } = await store.pool.query(CANCEL, [id, by, because, mail]);
  if (rowCount === 1) return { deletedCount: 1 };
  const now = await findPurchaseRow(store, id);
  if (!now || now.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  return refuse("conflict", cancelProblem(now.status) ?? refusals.serverFailed);
}
