import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange, readCart } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, revertStep, splitRows } from "./cart-rows.ts";
import { addResolutions, type Resolution, resolutions } from "./resolutions.ts";
import { type UndoStep, undoHistory } from "./undo-history.ts";
import { adoptVisitorRows, NO_ROWS, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";
import type { FoundLines } from "./use-checked-rows.ts";

export type CartRows = ReturnType<typeof useCartRows>;

const readRows = () => joinRows(readCart().lines, readUnresolved());

/** Changes the rows without an undo step, such as for results of the check. */
function amend(change: (rows: CartRow[]) => CartRow[]): UndoStep<CartRow[]> {
  // not those of the last render: another change may have come since, and a toast outlives its page
  const before = readRows();
  const next = change(before);
  if (next !== before) {
    const { lines, unresolved } = splitRows(next);
    storeUnresolved(unresolved);
    changeCart(() => lines);
  }
  return { before, after: readRows() };
}

/** Completes a matched row: the product for its text, the minimum order for an empty quantity, the current price. */
function applyResults(rows: CartRow[], found: FoundLines): CartRow[] {
  const resolutions = new Map<string, Resolution>();
  const products = new Set(splitRows(rows).lines.map(({ productId }) => productId));
  let changed = false;
  const next = rows.map((row) => {
    const line = found.get(row.key);
    if (!line?.productId) return row;
    const isNew = !row.productId;
    const quantity = row.quantity === "" ? (line.quantity ?? "") : row.quantity;
    const price = row.price ?? line.price;
    if (!isNew && quantity === row.quantity && price === row.price) return row;
    changed = true;
    if (isNew && typeof quantity === "number") {
      const isMerged = products.has(line.productId);
      resolutions.set(row.key, { productId: line.productId, quantity, isMerged });
      products.add(line.productId);
    }
    return { ...row, productId: line.productId, quantity, price };
  });
  addResolutions(resolutions);
  return changed ? next : rows;
}

const onChecked = (found: FoundLines) => void amend((present) => applyResults(present, found));

/** All rows of the page, with undo of what this tab changed. */
export function useCartRows() {
  const { lines } = useCart();
  const unresolved = useSyncExternalStore(
    onCartChange,
    () => readUnresolved(),
    () => NO_ROWS,
  );
  const rows = useMemo(() => joinRows(lines, unresolved), [lines, unresolved]);
  const [history] = useState(() =>
    undoHistory(amend, (step) => (present: CartRow[]) => revertStep(step, present, resolutions)),
  );

  useEffect(() => {
    adoptVisitorRows();
    return onSessionChange(adoptVisitorRows);
  }, []);

  // every step changes the cart and so renders the page again
  return { ...history, rows, onChecked, canUndo: history.canUndo() };
}
