import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, revertStep, type Step, splitRows } from "./cart-rows.ts";
import { resolutions } from "./resolutions.ts";
import { adoptVisitorRows, NONE, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";

const MAX_STEPS = 100;

type Change = (rows: CartRow[]) => CartRow[];

export interface CartRows {
  rows: CartRow[];
  /** changes them as one undo step */
  change: (change: Change) => void;
  /** changes them without one, for results of the check */
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
    () => NONE,
  );
  const rows = useMemo(() => joinRows(lines, unresolved), [lines, unresolved]);
  const latest = useRef(rows);
  latest.current = rows;
  const past = useRef<Step[]>([]);
  const future = useRef<Step[]>([]);

  useEffect(() => {
    adoptVisitorRows();
    return onSessionChange(adoptVisitorRows);
  }, []);

  const amend = useCallback((change: Change): Step => {
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
    (act: Change) => {
      past.current = [...past.current, amend(act)].slice(-MAX_STEPS);
      future.current = [];
    },
    [amend],
  );

  const travel = (from: typeof past, to: typeof past) => {
    const step = from.current.pop();
    if (step) to.current.push(amend((now) => revertStep(step, now, resolutions)));
  };

  return {
    rows,
    change,
    amend,
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    // current, since every step changes the cart and so renders the page
    canUndo: past.current.length > 0,
  };
}
