import { useMemo, useRef, useState } from "react";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { toast } from "../../components/toast.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { call } from "../../data/api-client.ts";
import { applyChanges } from "../../data/merge-carts.ts";
import { type CartRow, fixRow, toCheckLine } from "../cart/cart-rows.ts";
import { focusExisting, type IndexedRow } from "../cart/pad.tsx";
import type { RowActions } from "../cart/pad-row.tsx";
import { type UndoStep, undoHistory } from "../cart/undo-history.ts";
import type { CheckedRow } from "../cart/use-checked-rows.ts";
import { parsePieces } from "./parse-pieces.ts";
import { canBeLine } from "./paste-rows.tsx";
import type { useCheckedLines } from "./use-checked-lines.ts";
import type { EditedList } from "./use-saved-list.ts";

type Lines = readonly SavedListLine[];

/** The rows of the grid of a list, and how its cells, keys and the row below them change them. */
export function useListRows(
  list: EditedList,
  { find, add }: ReturnType<typeof useCheckedLines>,
  select: (productId: string, isSelected: boolean) => void,
) {
  const { lines } = list;
  const [{ change, revert, undo, redo }] = useState(() => historyOf(list.change));
  /** quantities that are not numbers, by product; they are not saved */
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  /** added rows that are not lines yet, as their product or quantity is not known; they are not saved */
  const [pending, setPending] = useState<readonly CheckedRow[]>([]);
  const keys = useRef<GridKeys | null>(null);
  const latest = useRef({ lines, pending });
  latest.current = { lines, pending };

  // rows and actions are stable, so that selecting a line renders its row only
  const rows = useMemo(() => {
    const ofLines = lines.map((saved): CheckedRow => {
      const row = { key: saved.productId, ...saved };
      const typed = invalid.get(saved.productId);
      if (typed === undefined) return { row, ...find(saved) };
      const problem = { code: "bad_quantity" as const, detail: String(parsePieces(typed)), fixes: [] };
      const line = { index: 0, ...find(saved).line, ...problem };
      return { row: { ...row, quantity: typed }, line, isStale: false };
    });
    return [...ofLines, ...pending].map((row, index): IndexedRow => ({ ...row, index }));
  }, [lines, pending, invalid, find]);

  const actions = useMemo(() => {
    const isPending = ({ key }: CartRow) => latest.current.pending.some(({ row }) => row.key === key);
    const setInvalidText = (key: string, text: string | undefined) =>
      setInvalid((now) => {
        const next = new Map(now);
        if (text === undefined) next.delete(key);
        else next.set(key, text);
        return next;
      });

    /** The row becomes a line when the store has found its product, unless it was removed meanwhile. */
    async function addRow(row: CartRow) {
      const others = (now: typeof pending) => now.filter((other) => other.row.key !== row.key);
      setPending((now) => [...others(now), { row, line: undefined, isStale: true }]);
      const outcome = await call("checkLines", { body: { lines: [toCheckLine(row)] } });
      if (!isPending(row)) return;
      const line = outcome.ok ? outcome.data.lines[0] : undefined;
      if (line && !canBeLine(line)) {
        setPending((now) => [...others(now), { row, line, isStale: false }]);
        return;
      }
      setPending(others);
      if (!outcome.ok) toast.error(outcome.detail, { label: "Try again", onPress: () => void addRow(row) });
      if (!line || focusExisting(keys.current, latest.current.lines, line.productId)) return;
      add([line]);
      change((now) => [...now, { productId: line.productId, quantity: line.quantity }]);
    }

    function setQuantity(row: CartRow, typed: number | string) {
      if (isPending(row)) return void addRow({ ...row, quantity: typed });
      const quantity = typeof typed === "number" ? typed : parsePieces(typed);
      const isValid = typeof quantity === "number";
      setInvalidText(row.key, isValid ? undefined : String(typed));
      if (isValid)
        change((now) => now.map((line) => (line.productId === row.key ? { ...line, quantity } : line)));
    }

    function remove(row: CartRow) {
      const { lines: before } = latest.current;
      const index = before.findIndex(({ productId }) => productId === row.key);
      const next = index >= 0 && (before[index + 1] ?? before[index - 1]);
      keys.current?.focusCell(next ? next.productId : "entry", next ? "quantity" : "item");
      if (isPending(row)) return setPending((now) => now.filter((other) => other.row.key !== row.key));
      setInvalidText(row.key, undefined);
      const step = change((now) => now.filter(({ productId }) => productId !== row.key));
      const onPress = () => void revert(step);
      toast.success("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress });
    }

    return {
      addRow,
      setQuantity,
      remove,
      applyFix(row, fix) {
        if (!fix.change) return remove(row);
        if (fix.change.productId) return void addRow(fixRow(row, fix.change));
        setQuantity(row, fix.change.quantity ?? row.quantity);
        keys.current?.focusCell(row.key, "quantity");
      },
      select: ({ key }, isSelected) => select(key, isSelected),
    } satisfies RowActions & { addRow: (row: CartRow) => Promise<void> };
  }, [add, change, revert, select]);

  /** Focuses the first of these lines whose typed quantity is not a number. True if there is one. */
  function focusInvalid(among: Lines): boolean {
    const first = among.find(({ productId }) => invalid.has(productId));
    if (first) keys.current?.focusCell(first.productId, "quantity");
    return first !== undefined;
  }

  return {
    rows,
    actions,
    keys,
    latestLines: () => latest.current.lines,
    change,
    focusInvalid,
    undo: () => (invalid.size > 0 ? setInvalid(new Map()) : undo()),
    redo,
  };
}

/** An undo keeps what was changed since, here or in another tab. */
function historyOf(changeList: EditedList["change"]) {
  return undoHistory<Lines>(
    (update) => {
      let step: UndoStep<Lines> = { before: [], after: [] };
      changeList((now) => {
        step = { before: now.lines, after: update(now.lines) };
        return { ...now, lines: step.after };
      });
      return step;
    },
    ({ before, after }) =>
      (lines) =>
        applyChanges(after, before, lines),
  );
}
