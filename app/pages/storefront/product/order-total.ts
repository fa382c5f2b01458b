/** The price of a quantity, and why it cannot be ordered. Pure. */

import type { Product } from "../../../../api/entities.ts";
import { formatMoney, fromCents, toCents } from "../../../../shop/money.ts";
import { MAX_TOTAL, MIN_TOTAL, quantityProblem } from "../../../../shop/orders/rules.ts";
import { type Orderable, unitPriceCents } from "../../../../shop/pricing/rules.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { messages } from "../../../../shop/texts/specification.ts";

type PricedProduct = Pick<
  Product,
  "price" | "minimum_order" | "order_multiple" | "price_breaks" | "quantity"
>;

/** A product in the form of the pricing rules: amounts in cents. */
export function toOrderable(product: PricedProduct): Orderable {
  return {
    price_cents: toCents(product.price) ?? 0,
    minimum_order: product.minimum_order,
    order_multiple: product.order_multiple ?? 1,
    price_breaks: (product.price_breaks ?? []).map(({ quantity, price }) => ({
      quantity,
      price_cents: toCents(price) ?? 0,
    })),
    quantity: product.quantity,
  };
}

/** Dollars per piece at this quantity. */
export function unitPrice(product: PricedProduct, quantity: number | null): number {
  return fromCents(unitPriceCents(toOrderable(product), quantity ?? 0));
}

/** In whole cents; null if the quantity is not a whole number. */
export function totalCents(quantity: number | null, price: number): number | null {
  const cents = toCents(price);
  return cents !== null && quantity !== null && Number.isSafeInteger(quantity) && quantity >= 0
    ? cents * quantity
    : null;
}

/** In dollars, for the call. */
export function totalDollars(quantity: number, price: number): number {
  return fromCents(totalCents(quantity, price) ?? 0);
}

/** Why this quantity cannot be ordered (section 5), or that its total exceeds a card payment; else null. */
export function orderProblem(quantity: number | null, product: PricedProduct): string | null {
  if (quantity === null) return messages.purchase.belowMinimum(product.minimum_order);
  const problem = quantityProblem(quantity, product);
  if (problem) return problem;
  const total = totalCents(quantity, unitPrice(product, quantity)) ?? 0;
  if (total > MAX_TOTAL) return refusals.totalTooHigh(formatMoney(MAX_TOTAL));
  if (total < MIN_TOTAL) return refusals.totalTooLow(formatMoney(MIN_TOTAL));
  return null;
}
