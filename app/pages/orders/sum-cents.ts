import { toCents } from "../../../shop/money.ts";

/** The sum, in cents, of amounts in dollars. */
export function sumCents(amounts: number[]): number {
  return amounts.reduce((cents, amount) => cents + (toCents(amount) ?? 0), 0);
}
