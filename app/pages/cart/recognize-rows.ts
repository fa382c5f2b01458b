/** Recognizes rows, item numbers and quantities in text. Apart from parse-rows.ts, which is loaded on demand. Pure. */
import { readQuantity } from "../../../shop/cart/read-quantity.ts";

/** Whether a paste is rows, not one value for a cell. A name may have a comma, so only "AG 125-14, 80" is a row. */
export function isTable(text: string): boolean {
  const typed = text.trim();
  if (/[\t\n;]/.test(typed)) return true;
  const [item = "", ...pieces] = typed.split(",");
  return isItemNumber(item) && isNumber(pieces.join(",").replaceAll('"', ""));
}

export function isNumber(cell: string): boolean {
  return readQuantity(cell) !== null;
}

export function isItemNumber(cell: string): boolean {
  return /\d/.test(cell) && /\p{L}/u.test(cell);
}
