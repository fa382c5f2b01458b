import { lowerCaseScheme } from "../../api/fields.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { columnOf, type FileColumn } from "./column-names.ts";
import {
  type Column,
  type ImportedProduct,
  readBreaks,
  readCount,
  readPrice,
  readText,
  UnreadableCell,
} from "./columns.ts";
import { type CsvRecord, UnreadableFile } from "./read-file.ts";

export interface Heading {
  columns: FileColumn[];
  cellIndexes: number[];
  ignored: string[];
  cells: number;
}

/** The columns of the first record, or the fields given for them. Throws if none identifies products. */
export function readHeading({ cells }: CsvRecord, fields: (FileColumn | "")[] | null = null): Heading {
  if (fields && fields.length !== cells.length)
    throw new UnreadableFile(importRefusals.fieldCount(fields.length, cells.length));
  const columns: FileColumn[] = [];
  const cellIndexes: number[] = [];
  const ignored: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = fields ? fields[index] : columnOf(cell);
    if (!column) ignored.push(cell.trim().slice(0, 100));
    else if (columns.includes(column)) throw new UnreadableFile(importRefusals.twice(column));
    else {
      columns.push(column);
      cellIndexes.push(index);
    }
  }
  if (!columns.includes("item_number"))
    throw new UnreadableFile(importRefusals.noItemNumbers(ignored.slice(0, 12).join(", ")));
  return { columns, cellIndexes, ignored: ignored.filter(Boolean).slice(0, 100), cells: cells.length };
}

/** A record of the file, whose cells are in the order of `Heading.columns`. */
export interface FileRecord {
  row: number;
  cells: string[];
  itemNumber: string;
  name: string;
  /** why it is refused as a whole */
  problem?: string;
}

export function readRecord(heading: Heading, { row, cells }: CsvRecord): FileRecord {
  const columnCells = heading.cellIndexes.map((index) => cells[index] ?? "");
  const cell = (column: FileColumn) => {
    const index = heading.columns.indexOf(column);
    return index < 0 ? "" : readText(columnCells[index] as string).trim();
  };
  const record = { row, cells: columnCells, itemNumber: cell("item_number"), name: cell("name") };
  // spreadsheets omit empty cells at the end, or add some
  const surplus = cells.slice(heading.cells).some((cell) => cell.trim() !== "");
  return cells.length < heading.cells || surplus
    ? { ...record, problem: importRefusals.cellCount(cells.length, heading.cells) }
    : record;
}

/** By column, each beginning with its name. */
export type Problems = Map<string, string>;

interface Cells {
  values: Partial<ImportedProduct>;
  problems: Problems;
}

/** Only the columns of the file; an empty cell clears an optional value. */
export function readCells(heading: Heading, record: FileRecord): Cells {
  const values: Partial<ImportedProduct> = {};
  const problems: Problems = new Map();
  for (const [index, column] of heading.columns.entries()) {
    try {
      Object.assign(values, readCell(column, readText(record.cells[index] as string).trim()));
    } catch (error) {
      if (!(error instanceof UnreadableCell)) throw error;
      problems.set(column, error.message);
      Object.assign(values, unreadable(column));
    }
  }
  return { values, problems };
}

/** No product can have these, so that nothing else is said about the column. */
function unreadable(column: FileColumn): Partial<ImportedProduct> {
  if (column === "price") return { price_cents: 0 };
  return column === "price_breaks" ? { price_breaks: [] } : { [column]: Number.NaN };
}

function readCell(column: FileColumn, cell: string): Partial<ImportedProduct> {
  switch (column) {
    case "item_number":
    case "category":
      return { [column]: cell === "" ? null : cell };
    case "price":
      return { price_cents: readPrice(required(cell, column), column) };
    case "price_breaks":
      return { price_breaks: readBreaks(cell) };
    case "order_multiple":
      return { order_multiple: cell === "" ? 1 : readCount(cell, column) };
    case "reorder_point":
      return { reorder_point: cell === "" ? 0 : readCount(cell, column) };
    case "minimum_order":
    case "quantity":
      return { [column]: readCount(required(cell, column), column) };
    case "picture":
      if (cell === "") throw new UnreadableCell(importRefusals.noPicture);
      return { picture: lowerCaseScheme(cell) };
    default:
      return { [column]: required(cell, column) };
  }
}

function required(cell: string, column: Column): string {
  if (cell === "") throw new UnreadableCell(`${column}: ${refusals.required}`);
  return cell;
}

/** What a file need not say about a new product. */
export const newProductDefaults: Omit<
  ImportedProduct,
  "item_number" | "name" | "price_cents" | "description" | "picture"
> = {
  category: null,
  price_breaks: [],
  minimum_order: 1,
  order_multiple: 1,
  quantity: 0,
  reorder_point: 0,
  archived: false,
};

export function readNewProduct(
  heading: Heading,
  record: FileRecord,
): { product: ImportedProduct; problems: Problems } {
  const { values, problems } = readCells(heading, record);
  for (const column of ["name", "price", "description", "picture"] as const)
    if (!heading.columns.includes(column)) problems.set(column, importRefusals.missingColumn(column));
  return { product: { ...newProductDefaults, price_cents: 0, ...values } as ImportedProduct, problems };
}
