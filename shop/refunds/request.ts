import type { Output, Request } from "../../api/contract.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { findPurchaseRow } from "../orders/queries.ts";
import { refundProblem, SHIP_UNDO_SECONDS } from "../orders/rules.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { submitRefund } from "./submit.ts";

type RefundForm = Request<"refundPurchase">["body"];

// Recorded before it is sent, so that a concurrent refund counts it. Pieces of a shipment that can still be undone are
// not restocked.
const INSERT_REFUND = `
WITH paid AS (
  UPDATE shop.purchase SET refunded_cents = refunded_cents + $3,
    restock_at = CASE WHEN $5 THEN now() ELSE restock_at END
  WHERE id = $2 AND status IN ('paid', 'shipped') AND refunded_cents + $3 <= total_cents
    AND status = coalesce($8, status) AND refunded_cents = coalesce($9, refunded_cents)
    AND NOT ($5 AND (restock_at IS NOT NULL OR CASE status WHEN 'shipped'
      THEN shipped_at >= now() - interval '${SHIP_UNDO_SECONDS} seconds'
      ELSE EXISTS (SELECT FROM shop.shipment_line JOIN shop.shipment ON shipment.id = shipment_id
        WHERE purchase_id = purchase.id AND shipment.shipped_at >= now() - interval '${SHIP_UNDO_SECONDS} seconds') END))
  RETURNING id, transaction_id
)
INSERT INTO shop.refund (id, payment_id, purchase_id, amount_cents, reason, origin, return_to_stock, asked_by)
SELECT $1, transaction_id, id, $3, $4, 'admin', $5, $6 FROM paid
RETURNING ${actorSql("$7")}`;

/** `requestId` becomes the refund's id, so that a repeated request is one refund. */
export async function refundPurchase(
  store: Store,
  admin: User,
  id: string,
  form: RefundForm,
  requestId: string,
): Promise<Output<"refundPurchase"> | Refusal> {
  const amountCents = await insertRefund(store, admin, id, form, requestId);
  if (isRefusal(amountCents)) return amountCents;
  const state = await submitRefund(store, requestId);
  return isRefusal(state) ? state : { refundId: requestId, amount: fromCents(amountCents), state };
}

/** Returns the cents of the refund, which an earlier attempt may have recorded. */
async function insertRefund(
  store: Store,
  admin: User,
  id: string,
  form: RefundForm,
  requestId: string,
): Promise<number | Refusal> {
  const known = await findRefundCents(store, requestId);
  if (known !== null) return known;
  const row = await findPurchaseRow(store, id);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  const cents = form.amount === undefined ? row.total_cents - row.refunded_cents : toCents(form.amount);
  if (cents === null) return refuseField("amount", refusals.tooManyDecimals);
  const refusal = explainRefusal(row, cents, form);
  if (refusal) return refusal;
  try {
    const { reason, returnToStock, seenStatus } = form;
    const seen = [seenStatus ?? null, seenCents(form)];
    const values = [requestId, id, cents, reason, returnToStock, admin.id, actorText(), ...seen];
    if ((await store.pool.query(INSERT_REFUND, values)).rowCount === 1) return cents;
  } catch (error) {
    if (isUniqueViolation(error, "refund_return_idx"))
      return refuseField("returnToStock", refusals.alreadyReturned);
    if (!isUniqueViolation(error, "refund_pkey")) throw error;
    return (await findRefundCents(store, requestId)) ?? refuse("conflict", refusals.serverFailed);
  }
  // another refund or a shipment came first: refuse by the current state
  const current = (await findPurchaseRow(store, id)) as PurchaseRow;
  const currentRefusal = explainRefusal(current, cents, form);
  if (currentRefusal) return currentRefusal;
  return form.returnToStock && current.shipped_pieces > 0
    ? refuseField("returnToStock", refusals.restockJustShipped)
    : refuse("unavailable", refusals.serverFailed);
}

function explainRefusal(row: PurchaseRow, cents: number, form: RefundForm): Refusal | null {
  if (form.seenStatus && form.seenStatus !== row.status) return refuse("conflict", refusals.orderChanged);
  const problem = refundProblem(row, cents, form.returnToStock);
  if (problem?.field) return refuseField(problem.field, problem.detail);
  if (problem) return refuse("conflict", problem.detail);
  const seen = seenCents(form) ?? row.refunded_cents;
  if (seen === row.refunded_cents) return null;
  const detail = orderRefusals.refundedMeanwhile(formatMoney(row.refunded_cents), formatMoney(seen));
  return refuse("conflict", detail);
}

function seenCents({ seenRefunded }: RefundForm): number | null {
  return seenRefunded === undefined ? null : toCents(seenRefunded);
}

async function findRefundCents(store: Store, refundId: string): Promise<number | null> {
  const { rows } = await store.pool.query<{ amount_cents: number }>(
    "SELECT amount_cents FROM shop.refund WHERE id = $1",
    [refundId],
  );
  return rows[0]?.amount_cents ?? null;
}
