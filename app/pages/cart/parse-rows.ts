/** Parses pasted text and CSV files. Pure. */
import { readQuantity } from "../../../shop/cart/read-quantity.ts";
import { readPieces } from "./cart-rows.ts";
import { isItemNumber, isNumber } from "./recognize-rows.ts";

export const NOT_ROWS = "This file could not be read as rows. Save it as CSV and drop it again.";
export const NO_ROWS = "There are no rows to paste.";
export const TOO_LARGE = "This paste is larger than 10 MB. Divide it and paste the parts.";

interface ParsedRow {
  /** in the text; from 1 */
  lineNumber: number;
  text: string;
  quantity: number | string;
}

export interface Parsed {
  rows: ParsedRow[];
  /** the number of rows, without empty ones and the heading */
  found: number;
  /** the line number of the heading */
  heading: number | null;
  /** rows without an item */
  skipped: { lineNumber: number; reason: string }[];
}

/**
 * Rows of an item number or name and a quantity, in columns of any order, separated by tab, semicolon or comma. A
 * heading is skipped. At most `maxRows` are read. Null for binary content, such as an image.
 */
export function parseRows(text: string, maxRows: number): Parsed | null {
  if (text.includes("\0") || text.includes("\ufffd\ufffd")) return null;
  const separator = separatorOf(text);
  const lines = splitLines(text.replace(/^\ufeff/, ""), separator);
  const filled = lines.filter(({ cells }) => cells.some(Boolean));
  const first = filled[0];
  const isHeading = first && isHeadingOf(first.cells, filled.slice(1, 6));
  const split = isHeading ? filled.slice(1) : filled;
  const body = separator === "," ? joinThousands(split, isHeading ? first.cells.length : null) : split;
  const sample = body.slice(0, 50).map(({ cells }) => cells);
  const [itemColumn, quantityColumn] = findColumns(sample, isHeading ? first.cells : []);
  const rows: ParsedRow[] = [];
  const skipped: Parsed["skipped"] = [];
  for (const { lineNumber, cells } of body) {
    const quantity = quantityColumn === -1 ? "" : (cells[quantityColumn] ?? "");
    const item = cells[itemColumn] || (cells.find((cell, column) => column !== quantityColumn && cell) ?? "");
    if (!item) skipped.push({ lineNumber, reason: `Line ${lineNumber} has no item number.` });
    else if (rows.length < maxRows) rows.push({ lineNumber, text: item, quantity: readPieces(quantity) });
  }
  return { rows, found: body.length, heading: isHeading ? first.lineNumber : null, skipped };
}

/** The text of a file. Spreadsheets also save as UTF-16, and as the Western code page. */
export function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

interface Line {
  lineNumber: number;
  cells: string[];
  /** a separator within quotes is not one */
  isQuoted: boolean;
}

/** Splits into lines and cells; quoted cells may contain separators and line breaks. */
function splitLines(text: string, separator: string): Line[] {
  const lines: Line[] = [];
  let line: Line = { lineNumber: 1, cells: [], isQuoted: false };
  let cell = "";
  let lineNumber = 1;
  const endCell = () => {
    // cells of a spreadsheet may have line breaks, and the API refuses control characters
    line.cells.push(cell.replace(/\p{Cc}+/gu, " ").trim());
    cell = "";
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    const end = character === '"' && cell.trim() === "" ? endOfQuotes(text, index, separator) : -1;
    if (end !== -1) {
      const quoted = text.slice(index + 1, end);
      cell = quoted.replaceAll('""', '"');
      lineNumber += quoted.split("\n").length - 1;
      line.isQuoted = true;
      index = end;
    } else if (character === separator) endCell();
    else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[index + 1] === "\n") index += 1;
      endCell();
      lines.push(line);
      lineNumber += 1;
      line = { lineNumber, cells: [], isQuoted: false };
    } else cell += character;
  }
  endCell();
  return [...lines, line];
}

/** The index of the closing quote; -1 if the quote is part of the text, as in `5" disc` or `"Pro" saw`. */
function endOfQuotes(text: string, from: number, separator: string): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) return -1;
  let after = end + 1;
  while (text[after] === " " && separator !== " ") after += 1;
  return [undefined, separator, "\n", "\r"].includes(text[after]) ? end : -1;
}

const QUOTED = /(?<=^|[\t;,\r\n]) *"(?:[^"]|"")*" *(?=[\t;,\r\n]|$)/g;

/** Tab if there is one outside of quotes, then semicolon; a comma may also separate thousands. */
function separatorOf(text: string): string {
  const start = text.slice(0, 10_000).replace(QUOTED, "");
  if (start.includes("\t")) return "\t";
  if (start.includes(";")) return ";";
  if (start.includes(",")) return ",";
  return /^\S+ {2,}\S+$/m.test(start) ? " " : "\t";
}

/**
 * Cells that commas split and that are one number, such as the last ones of `AG 125-14,1,200`: in lines with more
 * cells than the heading or another line, or in all lines.
 */
function joinThousands(lines: Line[], width: number | null): Line[] {
  const joined = lines.map((line) => ({ ...line, cells: joinLast(line) }));
  const minWidth =
    width ?? lines.reduce((min, { cells }) => Math.min(min, cells.length), Number.POSITIVE_INFINITY);
  const isEveryLineJoined =
    width === null && joined.every(({ cells }, index) => cells !== lines[index]?.cells);
  return lines.map(
    (line, index) => ((isEveryLineJoined || line.cells.length > minWidth) && joined[index]) || line,
  );
}

function joinLast({ cells, isQuoted }: Line): string[] {
  let from = cells.length - 1;
  while (from > 1 && /^\d{3}$/.test(cells[from] ?? "") && /^\d{1,3}$/.test(cells[from - 1] ?? "")) from -= 1;
  return isQuoted || from >= cells.length - 1
    ? cells
    : [...cells.slice(0, from), cells.slice(from).join(",")];
}

const ITEM_NUMBER_HEADING =
  /^(item|article|part|product|catalogue) ?(number\b|no\b|#)|^sku\b|^art(ikel)?[.\- ]*(nummer|nr)\b/i;
const ITEM_HEADING = /^(item|article|part|product|catalogue)\b|^(sku|tool|name|artikel)/i;
const PIECES_HEADING =
  /^(order(ed)? )?(quantity|qty|pieces|pcs|units|menge|anzahl|stück|quantité|qté|quantità|quantidade|cantidad|aantal|antal|ilość|množství|количество|数量)(?!\p{L})/iu;

function isHeadingOf(cells: string[], following: Line[]): boolean {
  if (cells.some((cell) => /\d/.test(cell))) return false;
  if (following.some((line) => line.cells.some(isNumber))) return true;
  return cells.every((cell) => !cell || ITEM_HEADING.test(cell) || PIECES_HEADING.test(cell));
}

/** The columns of the item and of the quantity, by heading, else by content; -1 if there is no quantity. */
function findColumns(rows: string[][], heading: string[]): [item: number, pieces: number] {
  const width = Math.max(1, ...rows.map((cells) => cells.length));
  const share = (column: number, fits: (cell: string) => boolean) =>
    rows.filter((cells) => fits(cells[column] ?? "")).length / (rows.length || 1);
  const isPosition = (column: number) =>
    rows.every((cells, row) => Number(cells[column]) === (row + 1) * Number(rows[0]?.[column]));
  const columns = Array.from({ length: width }, (_, column) => column);
  const numberColumns = columns.filter((column) => share(column, isNumber) > 0.5);
  const quantityHeading = heading.findIndex((title) => PIECES_HEADING.test(title));
  const textColumns = columns.filter(
    (column) => !numberColumns.includes(column) && column !== quantityHeading,
  );
  // item numbers may consist of digits only; some orders call the position of a line its item number
  const itemNumberHeading = heading.findIndex(
    (title, column) =>
      ITEM_NUMBER_HEADING.test(title) &&
      share(column, Boolean) > 0.5 &&
      !(isPosition(column) && Number(rows[0]?.[column]) <= 100),
  );
  const item =
    (itemNumberHeading === -1 ? undefined : itemNumberHeading) ??
    textColumns.find((column) => share(column, isItemNumber) > 0.5) ??
    textColumns.find((column) => share(column, Boolean) > 0.5) ??
    Math.max(
      0,
      heading.findIndex((title) => ITEM_HEADING.test(title)),
    );
  if (quantityHeading !== -1 && quantityHeading !== item) return [item, quantityHeading];
  const candidates = numberColumns.filter((column) => column !== item);
  const isWhole = (column: number) =>
    share(column, (cell) => Number.isInteger(readQuantity(cell) ?? 0)) === 1;
  const likely = candidates.filter((column) => isWhole(column) && !(column < item && isPosition(column)));
  return [item, likely[0] ?? candidates[0] ?? (width === 2 ? 1 - item : -1)];
}
