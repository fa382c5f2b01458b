/** Whole cents inside the store, dollars with at most two decimals outside. No amount is rounded. No imports. */

/** The largest amount in cents that converts to dollars with two decimals and back exactly: $9,999,999,999.99. */
export const MAX_CENTS = 999_999_999_999;

/** Exact. Null if it is not an amount: NaN, infinite, negative, more than two decimals, or above `MAX_CENTS`. */
export function toCents(amount: number): number | null {
  if (!Number.isFinite(amount) || amount < 0) return null;
  const cents = Math.round(amount * 100);
  if (cents > MAX_CENTS) return null;
  // the double nearest to cents/100 is the number that JSON parses from those two decimals
  return cents / 100 === amount ? Math.abs(cents) : null;
}

const FLOAT_ERROR = 0.000_001;

/** For comparing amounts that a client computed: 1.1 * 3 is 3.3000000000000003. Larger differences stay. */
export function roundFloatError(amount: number): number {
  const nearest = Math.round(amount * 100) / 100;
  return Math.abs(nearest - amount) < FLOAT_ERROR ? nearest : amount;
}

export function fromCents(cents: number): number {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not whole cents: ${cents}`);
  return cents / 100;
}

/** 155400 is "$1,554.00". A refund or difference is "-$12.50". */
export function formatMoney(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const dollars = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${cents < 0 ? "-" : ""}$${dollars}.${digits.slice(-2)}`;
}
