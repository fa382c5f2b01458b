import { MAX_CENTS, toCents } from "../../../shop/money.ts";

/** The sum, in cents, of amounts in dollars. */
export function sumCents(amounts: number[]): number {
  return amounts.reduce((cents, amount) => cents + (toCents(amount) ?? 0), 0);
}

/** The total of a line in cents, for a price in dollars. Above MAX_CENTS it counts as 0, as in a check of lines. */
export function lineCents(quantity: number, price = 0): number {
  const cents = Math.round(price * 100) * quantity;
  return cents <= MAX_CENTS ? cents : 0;
}
