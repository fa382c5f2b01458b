import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Product } from "../../../../api/entities.ts";
import { KeyLegend } from "../../../components/key-legend.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../../components/unsaved-changes-prompt.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { undoOrRedo, useGridKeys } from "../../../components/use-grid-keys.ts";
import { withFocusedRow } from "../../../components/with-focused-row.ts";
import { noRoomFor, readPastedCells } from "../split-cells.ts";
import { useRowSelection } from "../use-row-selection.ts";
import { BulkForm } from "./bulk-form.tsx";
import { type CellName, gridCells, textOf } from "./grid-cells.ts";
import { type GridActions, GridRow } from "./grid-row.tsx";
import { GridSaveBar } from "./grid-save-bar.tsx";
import { PriceBreaksDialog } from "./price-breaks-dialog.tsx";
import { draftOf } from "./product-draft.ts";
import type { ProductQuery } from "./product-search.ts";
import { needsCorrection, useGridEdits } from "./use-grid-edits.ts";
import { useProductWindow } from "./use-product-window.ts";

interface ProductGridProps {
  query: ProductQuery;
  firstPage: Product[];
  resultCount: number;
  /** in place of the rows if there are none; edits of products of another search are kept */
  empty: ReactNode;
}

const ROW_PX = 42;
/** Rows above and below those in view. */
const OVERSCAN_ROWS = 4;
/** Browsers limit the height of an element to some 33 million pixels. */
const MAX_ROWS = 500_000;

const isMoveBetweenRows = ({ key }: KeyboardEvent) => ["ArrowDown", "ArrowUp", "Enter"].includes(key);

/** So far that its neighbours may not be rendered. */
function isOutOfView(cell: HTMLElement): boolean {
  const { top, bottom } = cell.getBoundingClientRect();
  return bottom < 0 || top > window.innerHeight;
}

/** Products as a spreadsheet: cells are edited in place and saved together, and bulk changes apply to many rows. */
export function ProductGrid({ query, firstPage, resultCount, empty }: ProductGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const products = useProductWindow(query, firstPage);
  const gridEdits = useGridEdits(products.replace);
  const selection = useRowSelection<Product>();
  /** the filters whose results are all selected, also those out of view */
  const [selectedFilters, setSelectedFilters] = useState<string | null>(null);
  const filters = JSON.stringify({ ...query, sort: undefined });
  const isAllSelected = selectedFilters === filters;
  const lastCorrection = useRef(-1);
  const [gridTop, setGridTop] = useState(0);
  const hasRows = resultCount > 0;
  useLayoutEffect(() => {
    if (hasRows) setGridTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [hasRows]);
  const virtualizer = useWindowVirtualizer({
    count: Math.min(resultCount, MAX_ROWS),
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: withFocusedRow,
    scrollMargin: gridTop,
    scrollPaddingStart: 110,
    scrollPaddingEnd: 140,
  });
  const items = virtualizer.getVirtualItems();
  // without the focused row, which may be far from those in view
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const [from, to] = [
    Math.max(0, startIndex - OVERSCAN_ROWS),
    Math.min(endIndex + OVERSCAN_ROWS, resultCount - 1),
  ];
  const { showRows } = products;
  useEffect(() => showRows(from, to), [showRows, from, to]);
  const keys = useGridKeys(grid, (rowKey) => virtualizer.scrollToIndex(Number(rowKey), { align: "auto" }));

  // Save, Discard, Undo and Clear remove or disable themselves
  const lastCell = useFocusAfterRemoval<HTMLElement>(
    [
      gridEdits.edits.size,
      gridEdits.saving !== undefined,
      gridEdits.canUndo,
      selection.rows.length,
      isAllSelected,
    ].join(),
  );

  const [openPriceBreaks, setOpenPriceBreaks] = useState<Product>();
  const latest = useRef({ gridEdits, selection });
  latest.current = { gridEdits, selection };
  // stable, so that a row is rendered only when it changes
  const actions = useMemo<GridActions>(
    () => ({
      change: (product, name, text) => latest.current.gridEdits.change([{ product, name, text }]),
      openPriceBreaks: setOpenPriceBreaks,
      resolve: (edit, keep) => latest.current.gridEdits.resolve(edit, keep),
      select: (product, isSelected) => {
        setSelectedFilters(null);
        latest.current.selection.set([product], isSelected);
      },
    }),
    [],
  );

  const loaded = items.flatMap(({ index }) => (index < from || index > to ? [] : (products.at(index) ?? [])));
  const cellText = (index: number, name: CellName) => {
    const product = products.at(index);
    return product && textOf(gridEdits.edits.get(product._id)?.draft ?? draftOf(product), name);
  };

  function onKeyDown(event: KeyboardEvent) {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
    const index = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row);
    const name = gridCells.find(({ name }) => name === cell?.dataset.cell)?.name;
    const command = event.ctrlKey || event.metaKey;
    if (undoOrRedo(event, gridEdits.undo, gridEdits.redo)) return;
    if (command && event.key.toLowerCase() === "d" && name) fillDown(index, name);
    else if (event.shiftKey && event.key === "ArrowDown" && cell)
      selectDown(index, cell.dataset.cell as string);
    else if (cell && isMoveBetweenRows(event) && isOutOfView(cell)) cell.scrollIntoView({ block: "nearest" });
    else return keys.onKeyDown(event);
    event.preventDefault();
  }

  function fillDown(index: number, name: CellName) {
    const [product, text] = [products.at(index), index > 0 ? cellText(index - 1, name) : undefined];
    if (product && text !== undefined) gridEdits.change([{ product, name, text }]);
  }

  function selectDown(index: number, column: string) {
    for (const row of [index, index + 1]) {
      const product = products.at(row);
      if (product) actions.select(product, true);
    }
    keys.focusCell(String(index + 1), column);
  }

  /** The next row that cannot be saved, after the focused one; then the first. */
  function focusNextCorrection() {
    const rows = [...gridEdits.edits.values()]
      .filter(needsCorrection)
      .map((edit) => ({ edit, index: products.indexOf(edit.product) }))
      .sort((a, b) => a.index - b.index);
    const next = rows.find(({ index }) => index > lastCorrection.current) ?? rows[0];
    if (!next) return;
    lastCorrection.current = next.index;
    const { problems, theirs } = next.edit;
    keys.focusCell(String(next.index), theirs ? "fix-0" : (Object.keys(problems)[0] ?? "name"));
  }

  /** Pastes spreadsheet cells, from the focused cell to the right and down. */
  async function onPaste(event: ClipboardEvent) {
    const rows = readPastedCells(event);
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
    const column = gridCells.findIndex(({ name }) => name === cell?.dataset.cell);
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row);
    if (!rows || column < 0) return;
    event.preventDefault();
    const pasted = await products.readRange(row, Math.min(rows.length, resultCount - row));
    if (!pasted) return toast.error("Nothing was pasted. Some of the tools could not be loaded.");
    const notPasted = noRoomFor(rows, pasted.filter(Boolean).length, gridCells.length - column);
    if (notPasted) toast.error(notPasted);
    const changes = pasted.flatMap((product, rowOffset) => {
      if (!product) return [];
      return (rows[rowOffset] as string[]).flatMap((value, columnOffset) => {
        const name = gridCells[column + columnOffset]?.name;
        return name ? [{ product, name, text: value }] : [];
      });
    });
    latest.current.gridEdits.change(changes);
  }

  const isEveryLoadedSelected =
    loaded.length > 0 && loaded.every(({ _id }) => isAllSelected || selection.has(_id));
  return (
    <div className="pgrid-box">
      {products.failure && (
        <Notice kind="warn">
          {products.failure}{" "}
          <button type="button" className="link" onClick={products.retry}>
            Try again
          </button>
        </Notice>
      )}
      {!hasRows && <div className="panel">{empty}</div>}
      <div
        ref={grid}
        className="pgrid"
        hidden={!hasRows}
        role="grid"
        tabIndex={-1}
        aria-label={query.archived === "only" ? "Archived tools" : "Tools on sale"}
        aria-rowcount={resultCount + 1}
        onFocus={({ target }) => {
          lastCell.current = target;
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => void onPaste(event)}
      >
        <div role="rowgroup">
          <div role="row" className="pgrid__hd" aria-rowindex={1}>
            <span role="columnheader" className="pgrid__select">
              <label className="check">
                <input
                  type="checkbox"
                  aria-label="Select the tools in view"
                  checked={isEveryLoadedSelected}
                  onChange={({ target }) => {
                    setSelectedFilters(null);
                    selection.clear();
                    if (target.checked) selection.set(loaded, true);
                  }}
                />
              </label>
            </span>
            {gridCells.map(({ name, heading, ...cell }) => (
              <span
                key={name}
                role="columnheader"
                className={"numeric" in cell ? `pgrid__${name} r` : `pgrid__${name}`}
              >
                {heading}
              </span>
            ))}
            <span role="columnheader" className="pgrid__more">
              <span className="vh">Edit</span>
            </span>
          </div>
        </div>
        <div role="rowgroup">
          <div
            role="none"
            ref={body}
            className="pgrid__bd"
            style={gridTop > 0 ? { height: virtualizer.getTotalSize() } : undefined}
          >
            {items.map(({ index, key, start }) => {
              const product = products.at(index);
              const edit = product && gridEdits.edits.get(product._id);
              return (
                <div
                  key={key}
                  role="none"
                  className="pgrid__item"
                  data-row={index}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  style={{ transform: `translateY(${start - gridTop}px)` }}
                >
                  <GridRow
                    index={index}
                    product={product}
                    edit={edit}
                    isSelected={product !== undefined && (isAllSelected || selection.has(product._id))}
                    actions={actions}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <div className="pgrid-bars">
        {(selection.rows.length > 0 || isAllSelected) && (
          <BulkForm
            selected={selection.rows}
            isAllSelected={isAllSelected}
            resultCount={resultCount}
            query={query}
            onSelectAll={() => setSelectedFilters(filters)}
            onClear={() => {
              setSelectedFilters(null);
              selection.clear();
            }}
          />
        )}
        <GridSaveBar gridEdits={gridEdits} onDiscarded={products.retry} onNext={focusNextCorrection} />
      </div>
      <KeyLegend
        keys={[
          [["Enter"], "edit, next row"],
          [["Ctrl D"], "fill from above"],
          [["Ctrl V"], "paste cells"],
          [["Ctrl Z"], "undo"],
          [["Ctrl Y"], "redo"],
          [["Shift ↓"], "select"],
        ]}
      />
      {openPriceBreaks && (
        <PriceBreaksDialog
          draft={gridEdits.edits.get(openPriceBreaks._id)?.draft ?? draftOf(openPriceBreaks)}
          onClose={() => setOpenPriceBreaks(undefined)}
          onApply={(text) => actions.change(openPriceBreaks, "price_breaks", text)}
        />
      )}
      <UnsavedChangesPrompt isUnsaved={() => gridEdits.edits.size > 0}>
        Changes that are not saved will be lost.
      </UnsavedChangesPrompt>
    </div>
  );
}
