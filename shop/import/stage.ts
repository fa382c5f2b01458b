import { productForm } from "../../api/product-form.ts";
import type { Queryable } from "../../database/client.ts";
import { MAX_PIECES } from "../cart/limits.ts";
import { type ProductColumns, toProduct } from "../products/columns.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { type ImportedProduct, UnreadableCell } from "./columns.ts";
import {
  type ExistingProduct,
  type ExistingProducts,
  findExisting,
  keyOf,
  spellingOf,
} from "./find-existing.ts";
import type { CsvRecord } from "./read-file.ts";
import {
  type FileRecord,
  type Heading,
  type Problems,
  readCells,
  readNewProduct,
  readRecord,
} from "./read-record.ts";

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

function compare(
  heading: Heading,
  record: FileRecord,
  { byNumber, byName, archived, bySpelling }: ExistingProducts,
): StagedRow {
  if (record.problem !== undefined) return refuseRow(record, record.problem);
  const existing =
    record.itemNumber === "" ? (byName.get(record.name) ?? undefined) : byNumber.get(record.itemNumber);
  if (record.itemNumber === "" && !existing) return refuseRow(record, importRefusals.noItemNumber);
  if (existing) {
    const { values, problems } = readCells(heading, record);
    return compareProduct(record, existing, () => values, problems);
  }
  const since = archived.get(record.itemNumber);
  if (since) return refuseRow(record, importRefusals.noLongerSold(since));
  const similar = bySpelling.get(spellingOf(record.itemNumber));
  if (similar) return refuseRow(record, importRefusals.otherSpelling(similar));
  const { product, problems } = readNewProduct(heading, record);
  const problem = productProblem(product, undefined, problems);
  if (problem) return refuseRow(record, problem);
  return { ...baseRow(record), status: "new", product };
}

type FileRow = Pick<StagedRow, "row" | "cells">;

/** `problems`: of its cells. */
export function compareProduct(
  row: FileRow,
  existing: ExistingProduct,
  change: () => Partial<ImportedProduct>,
  problems?: Problems,
): StagedRow {
  try {
    const product = { ...pickColumns(existing), ...change() };
    const problem = productProblem(product, existing, problems);
    if (problem) return refuseRow(row, problem);
    const before = differences(existing, product);
    const base = { ...baseRow(row), product_id: existing.id, version: existing.version };
    return before ? { ...base, status: "changed", product, before } : { ...base, status: "unchanged" };
  } catch (error) {
    if (error instanceof UnreadableCell) return refuseRow(row, error.message);
    throw error;
  }
}

/** What a row is before it is compared with the product. */
function baseRow({ row, cells }: FileRow): Omit<StagedRow, "status"> {
  return { row, cells, reason: null, product: null, before: null, product_id: null, version: null };
}

export function refuseRow(row: FileRow, reason: string): StagedRow {
  return { ...baseRow(row), status: "refused", reason };
}

function pickColumns(existing: ExistingProduct): ImportedProduct {
  const { id: _id, version: _version, ...product } = existing;
  return product;
}

/** Those of its cells, and those that a product form would have: one for each column, so that a file is corrected once. */
function productProblem(
  product: ImportedProduct,
  existing: ExistingProduct | undefined,
  ofCells: Problems = new Map(),
): string | null {
  const problems = new Map(ofCells);
  const add = (column: string, problem: string) =>
    problems.has(column) || problems.set(column, `${column}: ${problem}`);
  // a stock above the form's limit may stay
  const maxStock = Math.max(MAX_PIECES, existing?.quantity ?? 0);
  if (product.quantity > maxStock) add("quantity", refusals.atMost(maxStock));
  if (product.reorder_point > MAX_PIECES) add("reorder_point", refusals.atMost(MAX_PIECES));
  // what an import does not set is undefined
  const form = toProduct(product as ImportedProduct & ProductColumns);
  const { error } = productForm.safeParse({ ...form, quantity: Math.min(product.quantity, MAX_PIECES) });
  for (const { path, message } of error?.issues ?? [])
    add(
      String(path[0]).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      message,
    );
  return problems.size > 0 ? [...problems.values()].join(" ") : null;
}

/** The current values of the changed columns; null without changes. */
function differences(existing: ExistingProduct, product: ImportedProduct): Partial<ImportedProduct> | null {
  const changed = Object.entries(pickColumns(existing)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(product[key as keyof ImportedProduct]),
  );
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}
