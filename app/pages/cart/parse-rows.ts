/** Parses pasted text and CSV files. Pure. */
import { readQuantity } from "../../../shop/cart/read-quantity.ts";
import { readPieces } from "./cart-rows.ts";

interface ParsedRow {
  /** in the text, from 1 */
  lineNumber: number;
  text: string;
  quantity: number | string;
}

export interface Parsed {
  rows: ParsedRow[];
  /** without empty rows and the heading */
  found: number;
  /** the line with the heading */
  heading: number | null;
  /** rows without an item */
  skipped: { lineNumber: number; reason: string }[];
}

/**
 * Rows of an item number or name and a quantity, in columns of any order, separated by tab, semicolon or comma. A
 * heading is skipped. At most `most` rows are read. Null if the text is not a table, such as an image.
 */
export function parseRows(text: string, most: number): Parsed | null {
  if (text.includes("\0") || text.includes("\ufffd\ufffd")) return null;
  const lines = splitCells(text.replace(/^\ufeff/, ""));
  const filled = lines.filter(({ cells }) => cells.some(Boolean));
  const first = filled[0];
  const isHeading =
    first &&
    filled.length > 1 &&
    !first.cells.some((cell) => /\d/.test(cell)) &&
    filled.slice(1, 6).some(({ cells }) => cells.some(isNumber));
  const body = isHeading ? filled.slice(1) : filled;
  const [item, pieces] = findColumns(body.slice(0, 50).map(({ cells }) => cells));
  const rows: ParsedRow[] = [];
  const skipped: Parsed["skipped"] = [];
  for (const { lineNumber, cells } of body) {
    const quantity = pieces === -1 ? "" : (cells[pieces] ?? "");
    const what = cells[item] || (cells.find((cell, at) => at !== pieces && cell) ?? "");
    if (!what) skipped.push({ lineNumber, reason: `Line ${lineNumber} has no item number.` });
    else if (rows.length < most) rows.push({ lineNumber, text: what, quantity: readPieces(quantity) });
  }
  return { rows, found: body.length, heading: isHeading ? first.lineNumber : null, skipped };
}

/** Whether a paste is rows, not one value for a cell. */
export function isTable(text: string): boolean {
  return /[\t\n;]/.test(text.trim());
}

/** Cells of each line; quotes may contain separators and line breaks. */
function splitCells(text: string): { lineNumber: number; cells: string[] }[] {
  const separator = separatorOf(text);
  const lines: { lineNumber: number; cells: string[] }[] = [];
  let [cells, cell, quoted, lineNumber, startsAt]: [string[], string, boolean, number, number] = [
    [],
    "",
    false,
    1,
    1,
  ];
  const endLine = () => {
    // cells of a spreadsheet may have line breaks, and the API refuses control characters
    const clean = [...cells, cell].map((one) => one.replace(/\p{Cc}+/gu, " ").trim());
    lines.push({ lineNumber: startsAt, cells: clean });
    cells = [];
    cell = "";
    startsAt = lineNumber + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (quoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (quoted || cell.trim() === "")) quoted = !quoted;
    else if (!quoted && character === separator) {
      cells.push(cell);
      cell = "";
    } else if (!quoted && (character === "\n" || character === "\r")) {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endLine();
      lineNumber += 1;
    } else {
      if (character === "\n") lineNumber += 1;
      cell += character;
    }
  }
  endLine();
  return lines;
}

/** Tab if there is one, then semicolon; a comma may also separate thousands. */
function separatorOf(text: string): string {
  const start = text.slice(0, 10_000);
  if (start.includes("\t")) return "\t";
  if (start.includes(";")) return ";";
  if (start.includes(",")) return ",";
  return /^\S+ {2,}\S+$/m.test(start) ? " " : "\t";
}

/** The columns of the item and of the quantity, by content; -1 without a quantity. */
function findColumns(rows: string[][]): [item: number, pieces: number] {
  const width = Math.max(1, ...rows.map((cells) => cells.length));
  const share = (column: number, fits: (cell: string) => boolean) =>
    rows.filter((cells) => fits(cells[column] ?? "")).length / (rows.length || 1);
  const columns = Array.from({ length: width }, (_, at) => at);
  const numbers = columns.filter((at) => share(at, isNumber) > 0.5);
  const texts = columns.filter((at) => !numbers.includes(at));
  const item =
    texts.find((at) => share(at, isItemNumber) > 0.5) ?? texts.find((at) => share(at, Boolean) > 0.5) ?? 0;
  return [item, numbers.find((at) => at !== item) ?? (width === 2 ? 1 - item : -1)];
}

function isNumber(cell: string): boolean {
  return readQuantity(cell) !== null;
}

function isItemNumber(cell: string): boolean {
  return /\d/.test(cell) && /\p{L}/u.test(cell);
}
