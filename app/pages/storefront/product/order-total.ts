/** What a quantity of a tool costs, and why it may not be bought. Pure. */

import { formatMoney, fromCents, toCents } from "../../../../shop/money.ts";
import { LARGEST_TOTAL, quantityProblem, SMALLEST_TOTAL } from "../../../../shop/orders/rules.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { messages } from "../../../../shop/texts/specification.ts";

interface PricedProduct {
  /** dollars each */
  price: number;
  minimum_order: number;
  quantity: number;
}

/** The total in whole cents; null while the quantity is no whole number of pieces. */
export function totalCents(quantity: number | null, price: number): number | null {
  const cents = toCents(price);
  return cents !== null && quantity !== null && Number.isSafeInteger(quantity) && quantity >= 0
    ? cents * quantity
    : null;
}

/** The total as the call takes it, in dollars. */
export function totalDollars(quantity: number, price: number): number {
  return fromCents(totalCents(quantity, price) ?? 0);
}

/** Why this quantity cannot be bought (specification, section 5), or a total that no card can carry; else null. */
export function offerProblem(quantity: number | null, offer: PricedProduct): string | null {
  if (quantity === null) return messages.purchase.belowMinimum(offer.minimum_order);
  const problem = quantityProblem(quantity, offer);
  if (problem) return problem;
  const total = totalCents(quantity, offer.price) ?? 0;
  if (total > LARGEST_TOTAL) return refusals.totalTooHigh(formatMoney(LARGEST_TOTAL));
  if (total < SMALLEST_TOTAL) return refusals.totalTooLow(formatMoney(SMALLEST_TOTAL));
  return null;
}
