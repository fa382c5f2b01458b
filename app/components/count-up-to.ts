import { count } from "./format.ts";

/** "1,000+" where counting ended at the limit. */
export function countUpTo(amount: number, limit: number | undefined): string {
  return limit !== undefined && amount >= limit ? `${count(limit)}+` : count(amount);
}
