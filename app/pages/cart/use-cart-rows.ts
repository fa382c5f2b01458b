import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { changeCart, useCart } from "../../data/cart.ts";
import { onCartChange } from "../../data/cart-storage.ts";
import { onSessionChange } from "../../data/session.ts";
import { type CartRow, joinRows, splitRows } from "./cart-rows.ts";
import { adoptVisitorRows, onUnresolvedChange, readUnresolved, storeUnresolved } from "./unresolved-rows.ts";

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

/** All rows of the page, with undo in this tab. */
export function useCartRows(): CartRows {
  const { lines } = useCart();
  const unresolved = useSyncExternalStore(subscribe, () => readUnresolved(), readNone);
  const rows = useMemo(() => joinRows(lines, unresolved), [lines, unresolved]);
  const latest = useRef(rows);
  latest.current = rows;
  const past = useRef<CartRow[][]>([]);
  const future = useRef<CartRow[][]>([]);
  const [steps, setSteps] = useState(0);

  useEffect(() => {
    adoptVisitorRows();
    return onSessionChange(adoptVisitorRows);
  }, []);

  const amend = useCallback((change: Change) => {
    const next = change(latest.current);
    if (next === latest.current) return;
    const split = splitRows(next);
    // the next change may come before the next render
    latest.current = joinRows(split.lines, split.unresolved);
    storeUnresolved(split.unresolved);
    changeCart(() => split.lines);
  }, []);

  const change = useCallback(
    (act: Change) => {
      past.current = [...past.current, latest.current].slice(-MAX_STEPS);
      future.current = [];
      setSteps(past.current.length);
      amend(act);
    },
    [amend],
  );

  const travel = useCallback(
    (from: typeof past, to: typeof past) => {
      const rowsThen = from.current.pop();
      if (!rowsThen) return;
      to.current.push(latest.current);
      setSteps(past.current.length);
      amend(() => rowsThen);
    },
    [amend],
  );

  return {
    rows,
    change,
    amend,
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: steps > 0,
  };
}

function subscribe(listener: () => void): () => void {
  const ends = [onCartChange(listener), onUnresolvedChange(listener), onSessionChange(listener)];
  return () => {
    for (const end of ends) end();
  };
}

const none: ReturnType<typeof readUnresolved> = [];
function readNone() {
  return none;
}
