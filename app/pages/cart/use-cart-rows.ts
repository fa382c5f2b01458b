import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange, readCart } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, revertStep, splitRows } from "./cart-rows.ts";
import { resolutions } from "./resolutions.ts";
import { type UndoStep, undoHistory } from "./undo-history.ts";
import { adoptVisitorRows, NO_ROWS, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";

export type CartRows = ReturnType<typeof useCartRows>;

const readRows = () => joinRows(readCart().lines, readUnresolved());

/** Changes the rows without an undo step, such as for results of the check. */
export function amend(change: (rows: CartRow[]) => CartRow[]): UndoStep<CartRow[]> {
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
  return { ...history, rows, canUndo: history.canUndo() };
}
