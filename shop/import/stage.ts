import { lowerCaseScheme } from "../../api/fields.ts";
import { productForm } from "../../api/product-form.ts";
import type { Queryable } from "../../database/client.ts";
import { MAX_PIECES } from "../cart/limits.ts";
import { fromCents } from "../money.ts";
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

export interface StagedRow {
  row: number;
  status: "new" | "changed" | "unchanged" | "refused";
  reason: string | null;
  cells: string[];
  product: ImportedProduct | null;
  before: Partial<ImportedProduct> | null;
  product_id: string | null;
  version: number | null;
}

export interface ExistingProduct extends ImportedProduct {
  id: string;
  version: number;
}

/**
 * `firstRows` has the first row of each item number so far, and of each product found by name; `duplicates` has the first
 * rows of those repeated, and why they are refused.
 */
export async function compareRecords(
  db: Queryable,
  heading: Heading,
  records: CsvRecord[],
  firstRows: Map<string, number>,
  duplicates: Map<number, string>,
): Promise<StagedRow[]> {
  const parsed = records.map((record) => readRecord(heading, record));
  const existing = await findExisting(db, parsed);
  return parsed.map((record) => {
    const key = record.itemNumber
      ? keyOf(record.itemNumber, existing.byNumber)
      : existing.byName.get(record.name)?.id;
    if (record.problem === undefined && key) {
      const refusal = record.itemNumber ? importRefusals.sameItemNumber : importRefusals.sameName;
      const first = firstRows.get(key);
      if (first !== undefined) {
        if (!duplicates.has(first)) duplicates.set(first, refusal(record.row));
        return refuseRow(record, refusal(first));
      }
      firstRows.set(key, record.row);
    }
    return compare(heading, record, existing);
  });
}

/** New products with one number in two spellings are the same. */
function keyOf(itemNumber: string, existing: Map<string, ExistingProduct>): string {
  return existing.has(itemNumber) ? itemNumber : spellingOf(itemNumber);
}

interface ReadRecord {
  row: number;
  cells: string[];
  itemNumber: string;
  name: string;
  problem?: string;
}

function readRecord(heading: Heading, { row, cells }: CsvRecord): ReadRecord {
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

export const EXISTING_COLUMNS = `id, version, item_number, name, category, price_cents, price_breaks, minimum_order,
  order_multiple, quantity, reorder_point, description, picture, archived_at IS NOT NULL AS archived`;

const FIND_EXISTING = `
SELECT ${EXISTING_COLUMNS}
FROM shop.product
WHERE archived_at IS NULL AND (item_number = ANY ($1) OR (item_number IS NULL AND name = ANY ($2)))`;

const FIND_ARCHIVED = `
SELECT item_number, to_char(max(archived_at) AT TIME ZONE 'UTC', 'Mon FMDD, YYYY') AS since FROM shop.product
WHERE archived_at IS NOT NULL AND item_number = ANY ($1) GROUP BY item_number`;

/** By item number; a product without one by its name, if that is unique. */
async function findExisting(
  db: Queryable,
  records: ReadRecord[],
): Promise<{
  byNumber: Map<string, ExistingProduct>;
  byName: Map<string, ExistingProduct | null>;
  /** when the products were archived, by item number */
  archived: Map<string, string>;
  /** the item numbers of products on sale by their spelling, if they may be meant by unknown ones */
  bySpelling: Map<string, string>;
}> {
  const valid = records.filter(({ problem }) => problem === undefined);
  const numbers = valid.map(({ itemNumber }) => itemNumber).filter(Boolean);
  const names = valid.filter(({ itemNumber }) => itemNumber === "").map(({ name }) => name);
  const { rows } = await db.query<ExistingProduct>({
    name: "import-existing",
    text: FIND_EXISTING,
    values: [numbers, names],
  });
  const byNumber = new Map<string, ExistingProduct>();
  const byName = new Map<string, ExistingProduct | null>();
  for (const product of rows) {
    if (product.item_number !== null) byNumber.set(product.item_number, product);
    else byName.set(product.name, byName.has(product.name) ? null : product);
  }
  const unknown = numbers.filter((itemNumber) => !byNumber.has(itemNumber));
  const archived = await findArchived(db, unknown);
  return { byNumber, byName, archived, bySpelling: await findSimilar(db, unknown) };
}

// The limit makes each number an index scan of its own: with a list of them the planner would read all products.
const FIND_SIMILAR = `
WITH asked AS MATERIALIZED (
  SELECT DISTINCT shop.item_lookalike(given) AS lookalike FROM unnest($1::text[]) AS given
)
SELECT item_number FROM asked, LATERAL (
  SELECT item_number FROM shop.product
  WHERE lookalike <> '' AND item_number IS NOT NULL AND archived_at IS NULL
    AND shop.item_lookalike(item_number) = lookalike
  LIMIT 20
) AS similar_product`;

async function findSimilar(db: Queryable, numbers: string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await db.query<{ item_number: string }>(FIND_SIMILAR, [numbers]);
  return new Map(rows.map(({ item_number }) => [spellingOf(item_number), item_number]));
}

/** The same for item numbers that nobody would give to two products: "DD 18-60", "dd18–60" with another dash. */
function spellingOf(itemNumber: string): string {
  return itemNumber
    .toLowerCase()
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/(?<!\d)\s+|\s+(?!\d)/g, "")
    .replace(/\s+/g, " ");
}

async function findArchived(db: Queryable, numbers: string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await db.query<{ item_number: string; since: string }>(FIND_ARCHIVED, [numbers]);
  return new Map(rows.map(({ item_number, since }) => [item_number, since]));
}

function compare(
  heading: Heading,
  record: ReadRecord,
  { byNumber, byName, archived, bySpelling }: Awaited<ReturnType<typeof findExisting>>,
): StagedRow {
  if (record.problem !== undefined) return refuseRow(record, record.problem);
  const existing =
    record.itemNumber === "" ? (byName.get(record.name) ?? undefined) : byNumber.get(record.itemNumber);
  if (record.itemNumber === "" && !existing) return refuseRow(record, importRefusals.noItemNumber);
  if (existing) return compareProduct(record, existing, () => readCells(heading, record));
  const since = archived.get(record.itemNumber);
  if (since) return refuseRow(record, importRefusals.noLongerSold(since));
  const similar = bySpelling.get(spellingOf(record.itemNumber));
  if (similar) return refuseRow(record, importRefusals.otherSpelling(similar));
  return stageNew(record, () => newProduct(heading, record));
}

type FileRow = Pick<StagedRow, "row" | "cells">;

export function compareProduct(
  row: FileRow,
  existing: ExistingProduct,
  change: () => Partial<ImportedProduct>,
): StagedRow {
  return refuseIfUnreadable(row, () => {
    const product = { ...pickColumns(existing), ...change() };
    const problem = productProblem(product, existing);
    if (problem) return refuseRow(row, problem);
    const before = differences(existing, product);
    const base = { ...pickRow(row), reason: null, product_id: existing.id, version: existing.version };
    return before
      ? { ...base, status: "changed", product, before }
      : { ...base, status: "unchanged", product: null, before: null };
  });
}

function stageNew(row: FileRow, read: () => ImportedProduct): StagedRow {
  return refuseIfUnreadable(row, () => {
    const product = read();
    const problem = productProblem(product, undefined);
    if (problem) return refuseRow(row, problem);
    return {
      ...pickRow(row),
      status: "new",
      reason: null,
      product,
      before: null,
      product_id: null,
      version: null,
    };
  });
}

function refuseIfUnreadable(row: FileRow, stage: () => StagedRow): StagedRow {
  try {
    return stage();
  } catch (error) {
    if (error instanceof UnreadableCell) return refuseRow(row, error.message);
    throw error;
  }
}

const pickRow = ({ row, cells }: FileRow): FileRow => ({ row, cells });

export function refuseRow(row: FileRow, reason: string): StagedRow {
  return {
    ...pickRow(row),
    status: "refused",
    reason,
    product: null,
    before: null,
    product_id: null,
    version: null,
  };
}

function pickColumns(existing: ExistingProduct): ImportedProduct {
  const { id: _id, version: _version, ...product } = existing;
  return product;
}

/** Only the columns of the file; an empty cell clears an optional value. */
function readCells(heading: Heading, record: ReadRecord): Partial<ImportedProduct> {
  const values: Partial<ImportedProduct> = {};
  for (const [index, column] of heading.columns.entries()) {
    const cell = readText(record.cells[index] as string).trim();
    switch (column) {
      case "item_number":
      case "category":
        values[column] = cell === "" ? null : cell;
        break;
      case "price":
        values.price_cents = readPrice(required(cell, column), column);
        break;
      case "price_breaks":
        values.price_breaks = readBreaks(cell);
        break;
      case "order_multiple":
        values.order_multiple = cell === "" ? 1 : readCount(cell, column);
        break;
      case "reorder_point":
        values.reorder_point = cell === "" ? 0 : readCount(cell, column);
        break;
      case "minimum_order":
      case "quantity":
        values[column] = readCount(required(cell, column), column);
        break;
      case "picture":
        values.picture = lowerCaseScheme(required(cell, column));
        break;
      default:
        values[column] = required(cell, column);
    }
  }
  return values;
}

function required(cell: string, column: Column): string {
  if (cell === "") throw new UnreadableCell(`${column}: ${refusals.required}`);
  return cell;
}

function newProduct(heading: Heading, record: ReadRecord): ImportedProduct {
  for (const column of ["name", "price", "description", "picture"] as const)
    if (!heading.columns.includes(column)) throw new UnreadableCell(importRefusals.missingColumn(column));
  return {
    category: null,
    price_breaks: [],
    minimum_order: 1,
    order_multiple: 1,
    quantity: 0,
    reorder_point: 0,
    archived: false,
    ...readCells(heading, record),
  } as ImportedProduct;
}

const columnOfField: Record<string, Column> = { itemNumber: "item_number" };

/** The problems that a product form would have, by column. A stock above the form's limit may stay. */
function productProblem(product: ImportedProduct, existing: ExistingProduct | undefined): string | null {
  const maxStock = Math.max(MAX_PIECES, existing?.quantity ?? 0);
  if (product.quantity > maxStock) return `quantity: ${refusals.atMost(maxStock)}`;
  if (product.reorder_point > MAX_PIECES) return `reorder_point: ${refusals.atMost(MAX_PIECES)}`;
  const { error } = productForm.safeParse({
    name: product.name,
    picture: product.picture,
    price: fromCents(product.price_cents),
    minimum_order: product.minimum_order,
    order_multiple: product.order_multiple,
    price_breaks: product.price_breaks.map(({ quantity, price_cents }) => ({
      quantity,
      price: fromCents(price_cents),
    })),
    quantity: Math.min(product.quantity, MAX_PIECES),
    description: product.description,
    ...(product.item_number !== null && { itemNumber: product.item_number }),
    ...(product.category !== null && { category: product.category }),
  });
  const issue = error?.issues[0];
  if (!issue) return null;
  const field = String(issue.path[0]);
  return `${columnOfField[field] ?? field}: ${issue.message}`;
}

/** The current values of the changed columns; null without changes. */
function differences(existing: ExistingProduct, product: ImportedProduct): Partial<ImportedProduct> | null {
  const changed = Object.entries(pickColumns(existing)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(product[key as keyof ImportedProduct]),
  );
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}
