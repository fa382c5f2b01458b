/** Pure: shared by forms and operations (specification, sections 4 and 5). */
import type { PurchaseStatus } from "../../database/schema.ts";
import { formatMoney } from "../money.ts";
import { multipleProblem } from "../pricing/rules.ts";
import { refusals } from "../texts/refusals.ts";
import { messages } from "../texts/specification.ts";
import { afterStep } from "./states.ts";

/** A shipment's email is sent after this time. */
export const SHIP_UNDO_SECONDS = 10;

export const MIN_TOTAL = 50;
export const MAX_TOTAL = 99_999_999;

/** Why this quantity cannot be ordered (section 5), or null. */
export function quantityProblem(
  quantity: number,
  product: { minimum_order: number; quantity: number; order_multiple?: number | undefined },
): string | null {
  if (!Number.isInteger(quantity)) return refusals.wholeNumber;
  if (quantity < product.minimum_order) return messages.purchase.belowMinimum(product.minimum_order);
  if (quantity > product.quantity) return messages.purchase.aboveStock(product.quantity);
  return multipleProblem(quantity, { ...product, order_multiple: product.order_multiple ?? 1 });
}

/** Why the minimum order at this price is outside the limits of a card payment, or null. */
export function smallestOrderProblem(priceCents: number, minimumOrder: number): string | null {
  const total = priceCents * minimumOrder;
  if (total > MAX_TOTAL) {
    const most = Math.floor(MAX_TOTAL / priceCents);
    return refusals.smallestOrderTooHigh(formatMoney(total), formatMoney(MAX_TOTAL), most);
  }
  if (total < MIN_TOTAL) {
    const least = Math.ceil(MIN_TOTAL / priceCents);
    return refusals.smallestOrderTooLow(formatMoney(total), formatMoney(MIN_TOTAL), least);
  }
  return null;
}

export const isUnpaid = (line: { status: PurchaseStatus; cancelled_at: Date | null }): boolean =>
  line.status === "unpaid" && !line.cancelled_at;

export function cancelProblem(status: PurchaseStatus): string | null {
  if (afterStep(status, "cancel")) return null;
  return status === "shipped" ? refusals.shippedCannotBeCancelled : refusals.paidCannotBeCancelled;
}

interface Refundable {
  status: PurchaseStatus;
  total_cents: number;
  refunded_cents: number;
  returned_at: Date | null;
  restock_at: Date | null;
}

export function shipProblem(row: Refundable): string | null {
  if (row.status === "unpaid") return refusals.unpaidCannotBeShipped;
  if (!afterStep(row.status, "ship")) return refusals.alreadyShipped;
  if (row.refunded_cents === row.total_cents || row.returned_at) return refusals.refundedCannotBeShipped;
  if (row.restock_at) return refusals.restockingCannotBeShipped;
  return null;
}

/** Why `amountCents` cannot be refunded, or null. Refunds never exceed the payment, and pieces are restocked once. */
export function refundProblem(
  row: Refundable,
  amountCents: number,
  returnToStock: boolean,
): { field?: "amount" | "returnToStock"; detail: string } | null {
  if (!afterStep(row.status, "refund")) return { detail: refusals.unpaidCannotBeRefunded };
  const left = row.total_cents - row.refunded_cents;
  if (left === 0) return { detail: refusals.alreadyRefunded };
  if (amountCents > left) return { field: "amount", detail: refusals.refundTooHigh(formatMoney(left)) };
  if (returnToStock && row.returned_at) return { field: "returnToStock", detail: refusals.alreadyReturned };
  if (returnToStock && row.restock_at) return { field: "returnToStock", detail: refusals.restockPending };
  return null;
}
