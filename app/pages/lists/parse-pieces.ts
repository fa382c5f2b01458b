import { MAX_PIECES } from "../../../shop/cart/limits.ts";
import { readQuantity } from "../../../shop/cart/read-quantity.ts";
import { count } from "../../components/format.ts";

/** The pieces, or a message about what was typed. */
export function parsePieces(typed: string): number | string {
  const pieces = readQuantity(typed);
  if (pieces === null || !Number.isInteger(pieces)) return "Enter a whole number.";
  if (pieces < 1) return "Enter 1 or more.";
  return pieces > MAX_PIECES ? `Enter ${count(MAX_PIECES)} or less.` : pieces;
}
