import { useMemo, useRef, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import type { IndexedRow } from "../cart/pad.tsx";
import type { RowActions } from "../cart/pad-row.tsx";
import { parsePieces } from "./parse-pieces.ts";
import type { useCheckedLines } from "./use-checked-lines.ts";
import { useLineChanges } from "./use-line-changes.ts";
import type { EditedList } from "./use-saved-list.ts";

/** The rows of the grid of a list, and how its cells, keys and the form below it change them. */
export function useListRows(
  list: EditedList,
  { find, add }: ReturnType<typeof useCheckedLines>,
  select: (productId: string, isSelected: boolean) => void,
) {
  const { lines } = list;
  const { change, revert, undo, redo } = useLineChanges(list.change);
  /** quantities that are not numbers, by product; they are not saved */
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  const keys = useRef<GridKeys | null>(null);
  const latestLines = useRef(lines);
  latestLines.current = lines;

  // rows and actions are stable, so that selecting a line renders its row only
  const rows = useMemo(
    () =>
      lines.map((saved, index): IndexedRow => {
        const row = { key: saved.productId, ...saved };
        const typed = invalid.get(saved.productId);
        if (typed === undefined) return { index, row, ...find(saved) };
        const problem = { code: "bad_quantity" as const, detail: String(parsePieces(typed)), fixes: [] };
        const line = { index, ...find(saved).line, ...problem };
        return { index, row: { ...row, quantity: typed }, line, isStale: false };
      }),
    [lines, invalid, find],
  );

  const actions = useMemo((): RowActions => {
    const setInvalidText = (key: string, text: string | undefined) =>
      setInvalid((now) => {
        const next = new Map(now);
        if (text === undefined) next.delete(key);
        else next.set(key, text);
        return next;
      });
    const setQuantity: RowActions["setQuantity"] = ({ key }, typed) => {
      const quantity = typeof typed === "number" ? typed : parsePieces(typed);
      const isValid = typeof quantity === "number";
      setInvalidText(key, isValid ? undefined : String(typed));
      if (isValid)
        change((now) => now.map((line) => (line.productId === key ? { ...line, quantity } : line)));
    };
    const remove: RowActions["remove"] = ({ key }) => {
      const index = latestLines.current.findIndex(({ productId }) => productId === key);
      const next = latestLines.current[index + 1] ?? latestLines.current[index - 1];
      setInvalidText(key, undefined);
      const step = change((now) => now.filter(({ productId }) => productId !== key));
      if (next) keys.current?.focusCell(next.productId, "quantity");
      else focusEntry();
      const onPress = () => void revert(step);
      toast.success("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress });
    };
    return {
      setQuantity,
      remove,
      applyFix(row, fix) {
        if (!fix.change?.quantity) return remove(row);
        setQuantity(row, fix.change.quantity);
        keys.current?.focusCell(row.key, "quantity");
      },
      select: ({ key }, isSelected) => select(key, isSelected),
    };
  }, [change, revert, select]);

  function addLine(line: CheckedLine) {
    const { productId, quantity } = line;
    if (!productId || quantity === undefined) return;
    // rows may have been pasted while the line was checked
    const index = latestLines.current.findIndex((other) => other.productId === productId);
    if (index >= 0) {
      toast.info(`Already line ${count(index + 1)}.`);
      return keys.current?.focusCell(productId, "quantity");
    }
    add([line]);
    change((now) => [...now, { productId, quantity }]);
  }

  /** Focuses the first of these lines whose typed quantity is not a number. True if there is one. */
  function focusInvalid(among: readonly SavedListLine[]): boolean {
    const first = among.find(({ productId }) => invalid.has(productId));
    if (first) keys.current?.focusCell(first.productId, "quantity");
    return first !== undefined;
  }

  return {
    rows,
    actions,
    keys,
    latestLines,
    change,
    addLine,
    focusInvalid,
    undo: () => (invalid.size > 0 ? setInvalid(new Map()) : undo()),
    redo,
  };
}

/** The form below the grid. */
export function focusEntry() {
  document.getElementById("list-entry")?.focus();
}
