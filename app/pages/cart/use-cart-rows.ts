import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, revertStep, splitRows, type UndoStep } from "./cart-rows.ts";
import { resolutions } from "./resolutions.ts";
import { adoptVisitorRows, NO_ROWS, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";

const MAX_STEPS = 100;

type Change = (rows: CartRow[]) => CartRow[];

export interface CartRows {
  rows: CartRow[];
  /** changes the rows, as one undo step */
  change: (change: Change) => void;
  /** changes the rows without an undo step, for results of the check */
  amend: (change: Change) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
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
  const latest = useRef(rows);
  latest.current = rows;
  const past = useRef<UndoStep[]>([]);
  const future = useRef<UndoStep[]>([]);

  useEffect(() => {
    adoptVisitorRows();
    return onSessionChange(adoptVisitorRows);
  }, []);

  const amend = useCallback((change: Change): UndoStep => {
    const before = latest.current;
    const next = change(before);
    if (next !== before) {
      const split = splitRows(next);
      // the next change may come before the next render
      latest.current = joinRows(split.lines, split.unresolved);
      storeUnresolved(split.unresolved);
      changeCart(() => split.lines);
    }
    return { before, after: latest.current };
  }, []);

  const change = useCallback(
    (update: Change) => {
      past.current = [...past.current, amend(update)].slice(-MAX_STEPS);
      future.current = [];
    },
    [amend],
  );

  const moveStep = (from: typeof past, to: typeof past) => {
    const step = from.current.pop();
    if (step) to.current.push(amend((now) => revertStep(step, now, resolutions)));
  };

  return {
    rows,
    change,
    amend,
    undo: () => moveStep(past, future),
    redo: () => moveStep(future, past),
    // every step changes the cart and so renders the page again
    canUndo: past.current.length > 0,
  };
}
