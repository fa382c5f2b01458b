import { readQuantity } from "../../../shop/cart/read-quantity.ts";
import { count } from "../../components/format.ts";

// as the calls limit it (api/fields.ts), whose schemas the browser does not load
const MOST_PIECES = 1_000_000;

/** The pieces that were typed, or what is wrong with them. */
export function readPieces(typed: string): number | string {
  const pieces = readQuantity(typed);
  if (pieces === null || !Number.isInteger(pieces)) return "Enter a whole number.";
  if (pieces < 1) return "Enter 1 or more.";
  return pieces > MOST_PIECES ? `Enter ${count(MOST_PIECES)} or less.` : pieces;
}
