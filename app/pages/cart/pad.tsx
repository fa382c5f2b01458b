import { measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { type GridKeys, undoOrRedo, useGridKeys } from "../../components/use-grid-keys.ts";
import { usePrinting } from "../../components/use-printing.ts";
import { withFocusedRow } from "../../components/with-focused-row.ts";
import { type CartRow, isOrderable } from "./cart-rows.ts";
import { noticeOf } from "./line-problem.ts";
import { PadRow, type RowActions } from "./pad-row.tsx";
import { elementKey } from "./resolutions.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

interface PadProps {
  label: string;
  rows: IndexedRow[];
  /** of all rows, even if only some are rendered */
  total: number;
  /** stable, so that rows are not rendered while scrolling */
  actions: RowActions;
  onUndo: () => void;
  onRedo: () => void;
  /** the entry row and what follows */
  entry: ReactNode;
  /** rows have a checkbox in place of their number */
  isSelected?: (row: CartRow) => boolean;
  /** set here, for actions and buttons outside of the grid */
  keysRef: { current: GridKeys | null };
  onNextProblem: (from: string | undefined, direction: 1 | -1) => void;
}

export interface IndexedRow extends CheckedRow {
  index: number;
}

export const padKeys: [names: string[], action: string][] = [
  [["Arrows"], "move"],
  [["Enter"], "edit, next line"],
  [["Del"], "clear"],
  [["Ctrl", "V"], "paste rows"],
  [["Ctrl", "Z"], "undo"],
  [["Ctrl", "Y"], "redo"],
  [["F8"], "next problem"],
];

const ROW_PX = 49;
const NOTICE_PX = 41;
const OVERSCAN = 6;
const SERVER_ROWS = 16;

/**
 * The editable grid of the cart and of a saved list. Only the rows near the viewport are rendered, which a table cannot
 * do; the server renders the first ones, in the flow of the page.
 */
export function Pad(props: PadProps) {
  const { label, rows, total, actions, entry, isSelected, keysRef } = props;
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => ROW_PX + (rows[index]?.line?.code || rows[index]?.line?.cheaper ? NOTICE_PX : 0),
    // the observer reports the height before the next paint; reading it here would force a layout
    measureElement: (element, entry, instance) =>
      entry
        ? measureElement(element, entry, instance)
        : (instance.measurementsCache[instance.indexFromElement(element)]?.size ?? ROW_PX),
    getItemKey: (index) => elementKey(rows[index]?.row.key ?? ""),
    overscan: usePrinting() ? rows.length : OVERSCAN,
    rangeExtractor: withFocusedRow,
    initialRect: { width: 0, height: SERVER_ROWS * ROW_PX },
    initialOffset: 0,
    scrollMargin: top,
    scrollPaddingStart: 110,
    scrollPaddingEnd: 120,
  });
  const keys = useGridKeys(grid, (rowKey) => {
    const index = rows.findIndex(({ row }) => row.key === rowKey);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  });
  keysRef.current = keys;

  function onKeyDown(event: KeyboardEvent) {
    const rowKey = (event.target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset.row;
    if (handleKey(event, props, keys, rowKey)) event.preventDefault();
    else keys.onKeyDown(event);
  }

  return (
    <div
      ref={grid}
      className="pad"
      role="grid"
      tabIndex={-1}
      aria-label={label}
      aria-rowcount={total + 2}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <div role="row" className="pad__hd" aria-rowindex={1}>
          <span role="columnheader">
            <span className="vh">{isSelected ? "Selected" : "Line"}</span>
          </span>
          <span role="columnheader">Item number</span>
          <span role="columnheader">Tool</span>
          {["Price", "Quantity", "Line total"].map((heading) => (
            <span key={heading} role="columnheader" className="r">
              {heading}
            </span>
          ))}
          <span role="columnheader">
            <span className="vh">Remove</span>
          </span>
        </div>
      </div>
      <div role="rowgroup" data-end={rows.length}>
        <div
          role="none"
          ref={body}
          className="pad__bd"
          style={rows.length > 0 && top > 0 ? { height: virtualizer.getTotalSize() } : undefined}
        >
          {virtualizer.getVirtualItems().map(({ index: shownIndex, key, start }) => {
            const { row, line, isStale, index } = rows[shownIndex] as IndexedRow;
            return (
              <div
                key={key}
                role="none"
                className="pad__item"
                data-row={row.key}
                data-index={shownIndex}
                ref={virtualizer.measureElement}
                style={
                  top > 0 ? { position: "absolute", transform: `translateY(${start - top}px)` } : undefined
                }
              >
                <PadRow
                  index={index}
                  row={row}
                  line={line}
                  isStale={isStale}
                  isSelected={isSelected?.(row)}
                  actions={actions}
                />
              </div>
            );
          })}
        </div>
        {entry}
      </div>
    </div>
  );
}

export function hasProblem({ line }: CheckedRow): boolean {
  return line !== undefined && !isOrderable(line);
}

/** Focuses the next or previous row with a problem, from a row on. Returns its key. */
export function focusProblem(
  keys: GridKeys | null,
  rows: IndexedRow[],
  from: string | undefined,
  direction: 1 | -1,
): string | undefined {
  const start = rows.findIndex(({ row }) => row.key === from);
  const problems = rows.filter(hasProblem);
  if (direction === -1) problems.reverse();
  const next = problems.find(({ index }) => (direction === 1 ? index > start : index < start)) ?? problems[0];
  if (next) keys?.focusCell(next.row.key, noticeOf(next.line)?.fixes.length ? "fix-0" : "quantity");
  return next?.row.key;
}

/** Focuses the line that a product has already, with a message. False if it has none. */
export function focusExisting(
  keys: GridKeys | null,
  lines: readonly ExistingLine[],
  productId: string,
): boolean {
  const line = announceExisting(lines, productId);
  if (line) keys?.focusCell(line.key ?? productId, "quantity");
  return line !== undefined;
}

/** Says which line a product has already, and returns it. */
export function announceExisting(
  lines: readonly ExistingLine[],
  productId: string,
): ExistingLine | undefined {
  const index = lines.findIndex((line) => line.productId === productId);
  if (index >= 0) toast.info(`Already line ${count(index + 1)}.`);
  return lines[index];
}

interface ExistingLine {
  key?: string;
  productId?: string | undefined;
}

/** Keys for the whole pad or a row. True if the key was handled. */
function handleKey(
  event: KeyboardEvent,
  props: PadProps,
  keys: GridKeys,
  rowKey: string | undefined,
): boolean {
  const { key, shiftKey } = event;
  const command = event.ctrlKey || event.metaKey;
  const first = props.rows[0]?.row.key;
  if (key === "F8") props.onNextProblem(rowKey, shiftKey ? -1 : 1);
  else if (undoOrRedo(event, props.onUndo, props.onRedo)) return true;
  else if (command && key === "Home" && first) keys.focusCell(first, "item");
  else if (command && key === "End") keys.focusCell("entry", "item");
  else if (key === "Delete" && shiftKey && rowKey) removeRow(props, rowKey);
  else return false;
  return true;
}

function removeRow({ rows, actions }: PadProps, rowKey: string): void {
  const found = rows.find(({ row }) => row.key === rowKey);
  if (found) actions.remove(found.row);
}
