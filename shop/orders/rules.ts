/**
 * Purchases: a quantity of one product, bought between its minimum order and its stock, then
 * unpaid → paid → shipped (specification, section 4). Only an unpaid one can be cancelled.
 * These rules are pure; the form, the operations and the tests all ask them.
 */
import type { PurchaseStatus } from "../../database/schema.ts";
import { formatMoney } from "../money.ts";
import { refusals } from "../texts/refusals.ts";
import { messages } from "../texts/specification.ts";
import { afterStep } from "./states.ts";

/** How long a shipment can be undone; its email is sent after that. */
export const SHIP_UNDO_SECONDS = 10;

/** What one card payment can carry, in cents. */
export const SMALLEST_TOTAL = 50;
export const LARGEST_TOTAL = 99_999_999;

/** Why this quantity cannot be bought (section 5), or null. Quantities are whole pieces. */
export function quantityProblem(
  quantity: number,
  product: { minimum_order: number; quantity: number },
): string | null {
  if (!Number.isInteger(quantity)) return refusals.wholeNumber;
  if (quantity < product.minimum_order) return messages.purchase.belowMinimum(product.minimum_order);
  if (quantity > product.quantity) return messages.purchase.aboveStock(product.quantity);
  return null;
}

/** Why a tool with this price and minimum order could not be ordered by its minimum, or null: no card payment fits. */
export function smallestOrderProblem(priceCents: number, minimumOrder: number): string | null {
  const total = priceCents * minimumOrder;
  if (total > LARGEST_TOTAL) {
    const most = Math.floor(LARGEST_TOTAL / priceCents);
    return refusals.smallestOrderTooHigh(formatMoney(total), formatMoney(LARGEST_TOTAL), most);
  }
  if (total < SMALLEST_TOTAL) {
    const least = Math.ceil(SMALLEST_TOTAL / priceCents);
    return refusals.smallestOrderTooLow(formatMoney(total), formatMoney(SMALLEST_TOTAL), least);
  }
  return null;
}

/** Why a purchase of this status cannot be cancelled, or null. */
export function cancelProblem(status: PurchaseStatus): string | null {
  if (afterStep(status, "cancel")) return null;
  return status === "shipped" ? refusals.shippedCannotBeCancelled : refusals.paidCannotBeCancelled;
}

/** What decides about shipping and refunding. */
interface Refundable {
  status: PurchaseStatus;
  total_cents: number;
  refunded_cents: number;
  returned_at: Date | null;
  restock_at: Date | null;
}

/** Why a purchase cannot be shipped, or null. */
export function shipProblem(row: Refundable): string | null {
  if (row.status === "unpaid") return refusals.unpaidCannotBeShipped;
  if (!afterStep(row.status, "ship")) return refusals.alreadyShipped;
  if (row.refunded_cents === row.total_cents || row.returned_at) return refusals.refundedCannotBeShipped;
  if (row.restock_at) return refusals.restockingCannotBeShipped;
  return null;
}

/**
 * Why `amountCents` of a purchase cannot be given back, or null. Several refunds together never exceed what
 * was paid, and its goods come back to stock at most once.
 */
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
