/**
 * Purchases: a quantity of one product, bought between its minimum order and its stock, then
 * unpaid → paid → shipped (specification, section 4). Only an unpaid one can be cancelled.
 * These rules are pure; the form, the operations and the tests all ask them.
 */
import type { PurchaseStatus } from "../../database/schema.ts";
import { messages } from "../messages.ts";
import { refusals } from "../refusals.ts";

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

/** Why a purchase of this status cannot be cancelled, or null. */
export function cancelProblem(status: PurchaseStatus): string | null {
  if (status === "paid") return refusals.paidCannotBeCancelled;
  if (status === "shipped") return refusals.shippedCannotBeCancelled;
  return null;
}

/** Why a purchase of this status cannot be shipped, or null. */
export function shipProblem(status: PurchaseStatus): string | null {
  if (status === "unpaid") return refusals.unpaidCannotBeShipped;
  if (status === "shipped") return refusals.alreadyShipped;
  return null;
}
