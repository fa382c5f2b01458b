/**
 * Money. Inside the store an amount is a whole number of US cents; outside (calls and forms, specification
 * section 3) it is a JSON number of dollars with at most two decimals. No amount is rounded. No imports.
 */

/** The largest amount in cents that survives as a dollar number with two decimals, both ways: $9,999,999,999.99. */
export const MAX_CENTS = 999_999_999_999;

/**
 * Dollars to cents, exactly. Null for what is not an amount: NaN, infinite, negative, more than two decimals
 * (0.001, 0.1 + 0.2), or above `MAX_CENTS`.
 */
export function toCents(amount: number): number | null {
  if (!Number.isFinite(amount) || amount < 0) return null;
  const cents = Math.round(amount * 100);
  if (cents > MAX_CENTS) return null;
  // The nearest double of cents/100 is the very number that JSON gives for those two decimals.
  return cents / 100 === amount ? Math.abs(cents) : null;
}

/** How far from whole cents a product or a sum of doubles may come to lie, in dollars, with room to spare. */
const FLOAT_ERROR = 0.000_001;

/**
 * What a caller computed in dollars, as 1.1 * 3, which is 3.3000000000000003: the nearest whole cents where they differ
 * by less than a millionth of a dollar, any other number as it came. Only for what is compared with the store's own.
 */
export function roundFloatError(amount: number): number {
  const nearest = Math.round(amount * 100) / 100;
  return Math.abs(nearest - amount) < FLOAT_ERROR ? nearest : amount;
}

/** Cents to the JSON number of dollars. Throws on what cannot be an amount, because that is a defect. */
export function fromCents(cents: number): number {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not whole cents: ${cents}`);
  return cents / 100;
}

/** Cents as people read them, with thousands: 155400 is "$1,554.00". A refund or difference is "-$12.50". */
export function formatMoney(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const dollars = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${cents < 0 ? "-" : ""}$${dollars}.${digits.slice(-2)}`;
}
