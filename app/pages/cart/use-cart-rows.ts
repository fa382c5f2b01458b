import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange, readCart } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, revertStep, splitRows, type UndoStep } from "./cart-rows.ts";
import { resolutions } from "./resolutions.ts";
import { adoptVisitorRows, NO_ROWS, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";

const MAX_STEPS = 100;

type Change = (rows: CartRow[]) => CartRow[];

export interface CartRows {
  rows: CartRow[];
  /** changes the rows, as one undo step */
  change: (change: Change) => UndoStep;
  /** reverts an earlier step, as one undo step; keeps what changed since */
  revert: (step: UndoStep) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
}

const readRows = () => joinRows(readCart().lines, readUnresolved());

const inverse =
  (step: UndoStep): Change =>
  (rows) =>
    revertStep(step, rows, resolutions);

/** Changes the rows without an undo step, such as for results of the check. */
export function amend(change: Change): UndoStep {
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
export function useCartRows(): CartRows {
  const { lines } = useCart();
  const unresolved = useSyncExternalStore(
    onCartChange,
    () => readUnresolved(),
    () => NO_ROWS,
  );
  const rows = useMemo(() => joinRows(lines, unresolved), [lines, unresolved]);
  const past = useRef<UndoStep[]>([]);
  const future = useRef<UndoStep[]>([]);

  useEffect(() => {
    adoptVisitorRows();
    return onSessionChange(adoptVisitorRows);
  }, []);

  const change = useCallback((update: Change) => {
    const step = amend(update);
    past.current = [...past.current, step].slice(-MAX_STEPS);
    future.current = [];
    return step;
  }, []);

  const moveStep = (from: typeof past, to: typeof past) => {
    const step = from.current.pop();
    if (step) to.current.push(amend(inverse(step)));
  };

  return {
    rows,
    change,
    revert: (step) => change(inverse(step)),
    undo: () => moveStep(past, future),
    redo: () => moveStep(future, past),
    // every step changes the cart and so renders the page again
    canUndo: past.current.length > 0,
  };
}
