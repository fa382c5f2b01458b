import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

export interface GridKeys {
  /** Focuses a cell of a row, which may have to be scrolled into view first. */
  focusCell: (rowKey: string, column: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Place {
  rowKey: string;
  column: string;
}

/** Rows out of view are not rendered; it takes some frames until one is. */
const MAX_FRAMES = 20;

/**
 * Arrow keys for a grid whose cells carry `data-cell`. Those without a tab stop are one together, at the last focused
 * cell; a row for input keeps its own.
 */
export function useGridKeys(
  grid: RefObject<HTMLElement | null>,
  scrollTo: (rowKey: string) => void,
): GridKeys {
  const active = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const element = grid.current;
    if (!element) return;
    const activate = (cell: HTMLElement) => {
      if (active.current && active.current !== cell) active.current.tabIndex = -1;
      cell.tabIndex = 0;
      active.current = cell;
    };
    let focused: HTMLElement | null = null;
    let place = 0;
    const onFocus = ({ target }: FocusEvent) => {
      focused = (target as HTMLElement).closest<HTMLElement>("[data-cell]");
      place = indexOf(focused);
      if (focused?.tabIndex === -1) activate(focused);
    };
    // some browsers also send this when a focused cell is removed
    const onBlur = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if ((target as HTMLElement).isConnected && !focused?.contains(document.activeElement)) focused = null;
      });
    // the last focused cell may have been unmounted by scrolling
    const keepOne = () => {
      if (active.current?.isConnected) return;
      const first = element.querySelector<HTMLElement>('[data-cell][tabindex="-1"]');
      if (first) activate(first);
    };
    // an undo or a finished check removes a row or a fix while it has the focus
    const keepFocus = () => {
      if (!focused || focused.isConnected) return;
      const { cell = "" } = focused.dataset;
      focused = null;
      if (document.activeElement !== document.body) return;
      const rows = [...element.querySelectorAll<HTMLElement>("[data-index]")];
      const row = rows.find((one) => indexOf(one) >= place) ?? rows.at(-1);
      (row ? cellIn(row, cell) : element.querySelector<HTMLElement>("[data-cell]"))?.focus();
    };
    keepOne();
    const observer = new MutationObserver(() => {
      keepOne();
      keepFocus();
    });
    observer.observe(element, { childList: true, subtree: true });
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    return () => {
      observer.disconnect();
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
    };
  }, [grid]);

  function focusCell(rowKey: string, column: string) {
    scrollTo(rowKey);
    const place = { rowKey, column };
    let frames = 0;
    const attempt = () => {
      const cell = findCell(grid.current, place);
      if (cell) cell.focus();
      else if (++frames < MAX_FRAMES) requestAnimationFrame(attempt);
    };
    // at once if it can be, so that it does not undo the next key
    attempt();
  }

  function onKeyDown(event: KeyboardEvent) {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
    if (!cell || !grid.current || event.altKey || event.ctrlKey || event.metaKey) return;
    let frames = 0;
    const attempt = () => {
      // the focus may have moved on since the last frame
      if (frames > 0 && !cell.contains(document.activeElement)) return;
      const next = destination(event, cell, grid.current as HTMLElement);
      if (next === null) return;
      event.preventDefault();
      if (next) next.focus();
      (next ?? cell).scrollIntoView({ block: "nearest" });
      if (!next && ++frames < MAX_FRAMES) requestAnimationFrame(attempt);
    };
    attempt();
  }

  return { focusCell, onKeyDown };
}

/** Undo with Ctrl+Z, redo with Ctrl+Y or Ctrl+Shift+Z; with Cmd too, whose Cmd+Y is the browser's history. True if handled. */
export function undoOrRedo(event: KeyboardEvent, undo: () => void, redo: () => void): boolean {
  const key = event.key.toLowerCase();
  const isUndo = key === "z" && (event.ctrlKey || event.metaKey);
  if (!(isUndo || (key === "y" && event.ctrlKey))) return false;
  // the field's own undo, of what is being typed in it
  if ((event.target as HTMLElement).hasAttribute("data-editing")) return false;
  event.preventDefault();
  if (isUndo && !event.shiftKey) undo();
  else redo();
  return true;
}

function findCell(grid: HTMLElement | null, { rowKey, column }: Place): HTMLElement | null {
  const row = grid?.querySelector<HTMLElement>(`[data-row="${CSS.escape(rowKey)}"]`);
  return row ? cellIn(row, column) : null;
}

function cellIn(row: HTMLElement, column: string): HTMLElement | null {
  const cells = [column, "quantity"].map((name) => row.querySelector<HTMLElement>(`[data-cell="${name}"]`));
  // a narrow window leaves columns out
  return cells.find((cell) => cell?.checkVisibility()) ?? null;
}

/** The target of the key; undefined if its row is not rendered yet, null if the cell handles the key itself. */
function destination(event: KeyboardEvent, cell: HTMLElement, grid: HTMLElement) {
  const isEditing = cell.hasAttribute("data-editing");
  const rows = [...grid.querySelectorAll<HTMLElement>('[role="row"]:has([data-cell])')];
  const row = cell.closest<HTMLElement>('[role="row"]') as HTMLElement;
  const at = rows.indexOf(row);
  const cells = [...row.querySelectorAll<HTMLElement>("[data-cell]")];
  const place = cells.indexOf(cell);
  const sameColumn = (other?: HTMLElement) =>
    other?.querySelector<HTMLElement>(`[data-cell="${cell.dataset.cell}"]`);
  const next = rows[at + (event.key === "ArrowDown" ? 1 : -1)];
  switch (event.key) {
    case "ArrowDown":
    case "ArrowUp":
      if (Math.abs(indexOf(next) - indexOf(row)) > 1) return undefined;
      return sameColumn(next) ?? next?.querySelector<HTMLElement>("[data-cell]") ?? null;
    case "Enter":
      // skips rows without the column
      return (cell instanceof HTMLInputElement && sameColumn(rows.slice(at + 1).find(sameColumn))) || null;
    case "ArrowRight":
      return isEditing ? null : (cells[place + 1] ?? null);
    case "ArrowLeft":
      return isEditing ? null : (cells[place - 1] ?? null);
    case "Home":
      return isEditing ? null : (cells[0] ?? null);
    case "End":
      return isEditing ? null : (cells.at(-1) ?? null);
    default:
      return null;
  }
}

/** A row after those that scroll has the index `data-end` of its group. NaN in a grid that renders all rows. */
function indexOf(row: HTMLElement | null | undefined): number {
  const { index, end } = row?.closest<HTMLElement>("[data-index], [data-end]")?.dataset ?? {};
  return Number(index ?? end);
}
