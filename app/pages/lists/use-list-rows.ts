import { useMemo, useRef, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { toast } from "../../components/toast.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { applyChanges } from "../../data/merge-carts.ts";
import { type CartRow, fixRow } from "../cart/cart-rows.ts";
import { announceExisting, focusExisting, type IndexedRow } from "../cart/pad.tsx";
import type { RowActions } from "../cart/pad-row.tsx";
import { type UndoStep, undoHistory } from "../cart/undo-history.ts";
import { type FoundLines, useCheckedRows } from "../cart/use-checked-rows.ts";
import { canBeLine } from "./paste-rows.tsx";
import { useLineSelection } from "./use-line-selection.ts";
import type { EditedList } from "./use-saved-list.ts";

type Lines = readonly SavedListLine[];

/** The rows of the grid of a list, and how its cells, keys and entry row change them. */
export function useListRows(list: EditedList, known: readonly CheckedLine[]) {
  const { lines } = list;
  const [{ change, revert, undo, redo }] = useState(() => historyOf(list.change));
  /** texts that are not a quantity, by the product of their line; they are not saved */
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  /** added rows whose product or quantity is not known yet; they are not saved */
  const [pending, setPending] = useState<readonly CartRow[]>([]);
  const keys = useRef<GridKeys | null>(null);
  const latest = useRef({ lines, pending, invalid });
  latest.current = { lines, pending, invalid };

  const rows = useMemo(() => {
    const ofLines = lines.map(({ productId, quantity }): CartRow => {
      return { key: productId, productId, quantity: invalid.get(productId) ?? quantity };
    });
    return [...ofLines, ...pending];
  }, [lines, pending, invalid]);

  // stable, so that selecting a line renders its row only
  const edits = useMemo(() => {
    const isPending = (key: string) => latest.current.pending.some((row) => row.key === key);
    const removePending = (key: string) => setPending((now) => now.filter((row) => row.key !== key));

    function addLine({ productId, quantity }: SavedListLine) {
      latest.current.lines = change((now) => [...now, { productId, quantity }]).after;
    }

    function addRow(row: CartRow) {
      const { productId, quantity } = row;
      if (!productId || typeof quantity !== "number") return setPending((now) => [...now, row]);
      if (!focusExisting(keys.current, latest.current.lines, productId)) addLine({ productId, quantity });
    }

    function setQuantity(row: CartRow, quantity: number | string) {
      if (isPending(row.key))
        return setPending((now) =>
          now.map((other) => (other.key === row.key ? { ...row, quantity } : other)),
        );
      setInvalid((now) => {
        const next = new Map(now);
        next.delete(row.key);
        return typeof quantity === "string" ? next.set(row.key, quantity) : next;
      });
      if (typeof quantity === "number")
        change((now) => now.map((line) => (line.productId === row.key ? { ...line, quantity } : line)));
    }

    function remove(row: CartRow) {
      const { lines: before } = latest.current;
      const index = before.findIndex(({ productId }) => productId === row.key);
      const next = index >= 0 && (before[index + 1] ?? before[index - 1]);
      keys.current?.focusCell(next ? next.productId : "entry", next ? "quantity" : "item");
      if (index < 0) return removePending(row.key);
      const step = change((now) => now.filter(({ productId }) => productId !== row.key));
      const onPress = () => void revert(step);
      toast.success("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress });
    }

    return {
      addRow,
      setQuantity,
      remove,
      applyFix(row: CartRow, { change: fix }: Parameters<RowActions["applyFix"]>[1]) {
        if (!fix) return remove(row);
        if (!fix.productId) {
          setQuantity(row, fix.quantity ?? row.quantity);
          return keys.current?.focusCell(row.key, "quantity");
        }
        removePending(row.key);
        addRow(fixRow(row, fix));
      },
      /** Completes what was typed: the product for a text, the minimum order for an empty quantity. */
      onChecked(found: FoundLines) {
        for (const [key, line] of found) {
          if (!canBeLine(line)) continue;
          if (latest.current.invalid.has(key)) setQuantity({ key, ...line }, line.quantity);
          if (!isPending(key)) continue;
          removePending(key);
          // the focus stays where the buyer types meanwhile
          if (!announceExisting(latest.current.lines, line.productId)) addLine(line);
        }
      },
    };
  }, [change, revert]);

  const { checked } = useCheckedRows({ rows, onChecked: edits.onChecked }, known);
  const checkedLines = new Map(checked.map(({ row, line }) => [row.key, line]));
  const lineOf = ({ productId }: SavedListLine) => checkedLines.get(productId);
  const selection = useLineSelection(lines, lineOf);
  const { select } = selection;
  const actions = useMemo(
    (): RowActions => ({ ...edits, select: ({ key }, isSelected) => select(key, isSelected) }),
    [edits, select],
  );

  /** Focuses the first of these lines whose quantity is not one. True if there is one. */
  function focusInvalid(among: Lines): boolean {
    const first = among.find(({ productId }) => invalid.has(productId));
    if (first) keys.current?.focusCell(first.productId, "quantity");
    return first !== undefined;
  }

  return {
    rows: checked.map((row, index): IndexedRow => ({ ...row, index })),
    lineOf,
    selection,
    actions,
    addRow: edits.addRow,
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
