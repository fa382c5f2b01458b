import { useMemo, useRef, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { toast } from "../../components/toast.ts";
import type { GridKeys } from "../../components/use-grid-keys.ts";
import { type CartRow, fixRow, revertStep, splitRows, toRow } from "../cart/cart-rows.ts";
import { announceExisting, focusExisting, type IndexedRow } from "../cart/pad.tsx";
import type { RowActions } from "../cart/pad-row.tsx";
import { keepElement, type Resolution } from "../cart/resolutions.ts";
import { type UndoStep, undoHistory } from "../cart/undo-history.ts";
import { type FoundLines, useCheckedRows } from "../cart/use-checked-rows.ts";
import { canBeLine } from "./paste-rows.tsx";
import { useLineSelection } from "./use-line-selection.ts";
import type { EditedList } from "./use-saved-list.ts";

type Lines = readonly SavedListLine[];

/** The rows of the grid of a list, and how its cells, keys and entry row change them. */
export function useListRows(list: EditedList, known: readonly CheckedLine[]) {
  const { lines } = list;
  /** texts that are not a quantity, by the product of their line; they are not saved */
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map());
  /** added rows whose product or quantity is not known yet; they are not saved */
  const [pending, setPending] = useState<readonly CartRow[]>([]);
  const keys = useRef<GridKeys | null>(null);
  const latest = useRef({ lines, pending, invalid });
  latest.current = { lines, pending, invalid };

  const rows = useMemo(() => {
    const ofLines = lines.map((line) => ({
      ...toRow(line),
      quantity: invalid.get(line.productId) ?? line.quantity,
    }));
    return [...ofLines, ...pending];
  }, [lines, pending, invalid]);

  const changeList = list.change;
  // stable, so that selecting a line renders its row only
  const edits = useMemo(() => {
    const resolutions = new Map<string, Resolution>();
    const withPending = (lines: Lines) => [...lines.map(toRow), ...latest.current.pending];

    /** Changes the rows without an undo step, such as for results of the check. */
    function amend(update: (rows: CartRow[]) => CartRow[]): UndoStep<CartRow[]> {
      const step: UndoStep<CartRow[]> = { before: [], after: [] };
      changeList((now) => {
        step.before = withPending(now.lines);
        step.after = update(step.before);
        const { lines, unresolved } = splitRows(step.after);
        Object.assign(latest.current, { lines, pending: unresolved.map(({ row }) => row) });
        return { ...now, lines };
      });
      setPending(latest.current.pending);
      return step;
    }

    const history = undoHistory<CartRow[]>(
      amend,
      (step) => (present) => revertStep(step, present, resolutions),
    );
    const { change } = history;
    const isPending = (key: string) => latest.current.pending.some((row) => row.key === key);

    function setInvalidText(key: string, text: string | undefined) {
      setInvalid((now) => {
        const next = new Map(now);
        next.delete(key);
        return text === undefined ? next : next.set(key, text);
      });
    }

    function addRow(row: CartRow) {
      const { productId, quantity } = row;
      const isLine = productId && typeof quantity === "number";
      if (isLine && focusExisting(keys.current, latest.current.lines, productId)) return;
      change((now) => [...now, isLine ? toRow({ productId, quantity }) : row]);
    }

    function setQuantity(row: CartRow, quantity: number | string) {
      const isText = typeof quantity === "string";
      if (!isPending(row.key)) setInvalidText(row.key, isText ? quantity : undefined);
      if (!isText || isPending(row.key))
        change((now) => now.map((other) => (other.key === row.key ? { ...other, quantity } : other)));
    }

    function remove({ key }: CartRow) {
      const before = withPending(latest.current.lines);
      const index = before.findIndex((row) => row.key === key);
      const next = before[index + 1] ?? before[index - 1];
      keys.current?.focusCell(next ? next.key : "entry", next ? "quantity" : "item");
      setInvalidText(key, undefined);
      const step = change((now) => now.filter((row) => row.key !== key));
      const onPress = () => void history.revert(step);
      toast.undo("1 line removed.", { label: "Undo", name: "Undo removing the line", onPress });
    }

    /** Completes a pending row: the product for a text, the minimum order for an empty quantity. */
    function resolve(key: string, { productId, quantity }: SavedListLine) {
      // the focus stays where the buyer types meanwhile
      const isMerged = announceExisting(latest.current.lines, productId) !== undefined;
      resolutions.set(key, { productId, quantity, isMerged });
      if (!isMerged) keepElement(productId, key);
      amend((now) => {
        const others = now.filter((row) => row.key !== key);
        return isMerged ? others : [...others, toRow({ productId, quantity })];
      });
    }

    return {
      ...history,
      addRow,
      setQuantity,
      remove,
      applyFix(row: CartRow, { change: fix }: Parameters<RowActions["applyFix"]>[1]) {
        if (!fix) return remove(row);
        const { productId } = fix;
        if (productId && focusExisting(keys.current, latest.current.lines, productId))
          return change((now) => now.filter(({ key }) => key !== row.key));
        if (productId)
          change((now) => now.map((other) => (other.key === row.key ? fixRow(row, fix) : other)));
        else setQuantity(row, fix.quantity ?? row.quantity);
        keys.current?.focusCell(productId ?? row.key, "quantity");
      },
      onChecked(found: FoundLines) {
        for (const [key, line] of found) {
          if (!canBeLine(line)) continue;
          if (latest.current.invalid.has(key)) setQuantity({ key, ...line }, line.quantity);
          if (isPending(key)) resolve(key, line);
        }
      },
      /** of what is not saved */
      discard() {
        setInvalid(new Map());
        latest.current.pending = [];
        setPending([]);
      },
    };
  }, [changeList]);

  const { checked, failure } = useCheckedRows({ rows, onChecked: edits.onChecked }, known);
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

  const unsaved = checked.filter(({ row }) => row.key !== row.productId || invalid.has(row.key));
  return {
    rows: checked.map((row, index): IndexedRow => ({ ...row, index })),
    lineOf,
    selection,
    actions,
    keys,
    latestLines: () => latest.current.lines,
    /** a failed check, which is repeated */
    failure,
    /** why rows are not saved yet */
    unsaved: unsaved.some(({ isStale }) => isStale) ? "checking" : unsaved.length > 0 ? "incorrect" : null,
    isSaved: () => list.isSaved() && latest.current.pending.length + latest.current.invalid.size === 0,
    discard: edits.discard,
    addRow: edits.addRow,
    addLines: (merge: (lines: Lines) => Lines) =>
      void edits.change((now) => {
        const { lines, unresolved } = splitRows(now);
        return [...merge(lines).map(toRow), ...unresolved.map(({ row }) => row)];
      }),
    focusInvalid,
    undo: () => (invalid.size > 0 ? setInvalid(new Map()) : edits.undo()),
    redo: edits.redo,
  } as const;
}
