/** Sums over the rows of the cart, in cents. Pure. */
import { lineCents } from "../orders/sum-cents.ts";
import { isOrderable } from "./cart-rows.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

export type CartTotals = ReturnType<typeof sumRows>;

export function sumRows(rows: readonly CheckedRow[]) {
  const totals = { lines: rows.length, ready: 0, problems: 0, pieces: 0, listCents: 0, totalCents: 0 };
  for (const { row, line } of rows) {
    if (!line) continue;
    if (!isOrderable(line)) {
      totals.problems += 1;
      continue;
    }
    const quantity = typeof row.quantity === "number" ? row.quantity : (line.quantity ?? 0);
    totals.ready += 1;
    totals.pieces += quantity;
    totals.listCents += lineCents(quantity, line.listPrice);
    totals.totalCents += lineCents(quantity, line.price);
  }
  return totals;
}
