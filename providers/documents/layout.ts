import type { Sheet, SheetColumn, SheetRow } from "../../shop/documents/sheet.ts";
import { MM, type Page, styleOf, styles } from "./paper.ts";
import { breakText, type Line } from "./text.ts";

export const TABLE_HEAD_HEIGHT = 22;
export const CONTINUATION_HEIGHT = 16;
export const FACT_HEIGHT = 12 * MM;
export const ROW_PADDING = 1.9 * MM;
export const ROW_LEADING = 12;
export const DETAIL_LEADING = 10.5;
export const FOOTER_LEADING = 11;
export const SENDER_LEADING = 11.5;
const PAGE_NUMBER_HEIGHT = 18;
const MIN_ROWS_WITH_TOTAL = 2;
/** A longer name ends with an ellipsis. */
const MAX_ROW_LINES = 24;
/** Enough for the longest address. */
const MAX_BLOCK_LINES = 24;

export interface LayoutColumn extends SheetColumn {
  x: number;
  span: number;
}

export interface LayoutRow {
  cells: Line[][];
  detail: Line[];
  height: number;
}

export interface LayoutBlock {
  label: string;
  lines: Line[];
  /** the first lines, which the name takes; none below a bar code */
  boldLines: number;
  barCode?: string | undefined;
}

export interface Layout {
  page: Page;
  width: number;
  sender: Line[];
  senderHeight: number;
  blocks: LayoutBlock[];
  columns: LayoutColumn[];
  pages: LayoutRow[][];
  footer: { label: string; lines: Line[]; rule: boolean }[];
  footerHeight: number;
  tableTop: number;
  /** the y below which only the page number is drawn */
  bottom: number;
}

export function layOut(sheet: Sheet, page: Page): Layout {
  const width = page.width - 2 * page.x;
  const bottom = page.height - page.bottom - PAGE_NUMBER_HEIGHT;
  const sender = sheet.sender.flatMap((text) => breakText(text, styles.small, width / 2, 2));
  const senderHeight = Math.max(14.5 * MM, sender.length * SENDER_LEADING + 3 * MM);
  const columns = placeColumns(sheet.columns, page.x, width);
  const blocks = sheet.blocks.map((block) => layOutBlock(block, (width - 12 * MM) / 3));
  const footer = sheet.footer.map(({ label, text, rule = false }) => ({
    label,
    lines: text === "" ? [] : breakText(text, styles.small, width / 3 - 6 * MM, 6),
    rule,
  }));
  const footerHeight =
    4 * MM +
    Math.max(...footer.map(({ lines, rule }) => (lines.length + 1) * FOOTER_LEADING + (rule ? 16 : 0)));
  const blocksHeight = 10 + Math.max(36, ...blocks.map(({ lines }) => lines.length * 13));
  const tableTop = page.top + senderHeight + 2 * FACT_HEIGHT + 5 * MM + blocksHeight + 6 * MM;
  const totalHeight = 4 * MM + sheet.sums.length * 20 + 30;
  const pages = paginate(
    sheet.rows.map((row) => layOutRow(row, columns)),
    {
      firstPage: bottom - tableTop - TABLE_HEAD_HEIGHT,
      laterPage: bottom - page.top - CONTINUATION_HEIGHT - TABLE_HEAD_HEIGHT,
      tail: totalHeight + footerHeight + 8 * MM,
    },
  );
  return {
    page,
    width,
    sender,
    senderHeight,
    blocks,
    columns,
    pages,
    footer,
    footerHeight,
    tableTop,
    bottom,
  };
}

function placeColumns(columns: SheetColumn[], left: number, width: number): LayoutColumn[] {
  const gap = 3 * MM;
  const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0) * MM, 0);
  let x = left;
  return columns.map((column) => {
    const span = column.width === undefined ? width - fixed : column.width * MM;
    const placed = { ...column, x, span: span - (column.align === "left" ? gap : 0) };
    x += span;
    return placed;
  });
}

function layOutBlock({ label, lines, barCode }: Sheet["blocks"][number], width: number): LayoutBlock {
  let linesLeft = MAX_BLOCK_LINES;
  let boldLines = 0;
  const allLines = lines.flatMap((text, index) => {
    // a long address leaves a line for the email below it
    const maxLines = Math.max(1, linesLeft - (lines.length - 1 - index));
    const blockLines = breakText(text, index === 0 ? styles.bodyBold : styles.body, width, maxLines);
    linesLeft -= blockLines.length;
    if (index === 0 && barCode === undefined) boldLines = blockLines.length;
    return blockLines;
  });
  return { label, lines: allLines.slice(0, MAX_BLOCK_LINES), boldLines, barCode };
}

function layOutRow(row: SheetRow, columns: LayoutColumn[]): LayoutRow {
  const cells = columns.map((column, index) =>
    breakText(row.cells[index] ?? "", styleOf(column), column.span, MAX_ROW_LINES),
  );
  const nameColumn = columns.find((column) => column.width === undefined) ?? columns[0];
  const detail = row.detail ? breakText(row.detail, styles.small, nameColumn?.span ?? 0, 8) : [];
  const lines = Math.max(...cells.map((cell) => cell.length));
  const height = 2 * ROW_PADDING + lines * ROW_LEADING + detail.length * DETAIL_LEADING;
  return { cells, detail, height };
}

/** The last page has space for `tail`: the total and the footer. */
function paginate(
  rows: LayoutRow[],
  { firstPage, laterPage, tail }: { firstPage: number; laterPage: number; tail: number },
): LayoutRow[][] {
  let last: LayoutRow[] = [];
  let available = firstPage;
  const pages = [last];
  for (const row of rows) {
    if (row.height > available && last.length > 0) {
      last = [];
      pages.push(last);
      available = laterPage;
    }
    last.push(row);
    available -= row.height;
  }
  // a page keeps its first row: the same rows would leave no more space on the next one
  if (tail > available) pages.push(last.splice(Math.max(1, last.length - MIN_ROWS_WITH_TOTAL)));
  return pages;
}
