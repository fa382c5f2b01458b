import type { Queryable } from "../../database/client.ts";
import { IMPORTED_COLUMNS } from "./column-names.ts";
import type { ImportedProduct } from "./columns.ts";
import type { FileRecord } from "./read-record.ts";

export interface ExistingProduct extends ImportedProduct {
  id: string;
  version: number;
}

/** The products that the records of a file may mean. */
export interface ExistingProducts {
  byNumber: Map<string, ExistingProduct>;
  /** those without an item number; null: several have the name */
  byName: Map<string, ExistingProduct | null>;
  /** when the products were archived, by item number */
  archived: Map<string, string>;
  /** the item numbers of products on sale by their spelling, if they may be meant by unknown ones */
  bySpelling: Map<string, string>;
}

export const EXISTING_COLUMNS = `id, version, ${IMPORTED_COLUMNS.join(", ")}, archived_at IS NOT NULL AS archived`;

const FIND_EXISTING = `
SELECT ${EXISTING_COLUMNS}
FROM shop.product
WHERE archived_at IS NULL AND (item_number = ANY ($1) OR (item_number IS NULL AND name = ANY ($2)))`;

const FIND_ARCHIVED = `
SELECT item_number, to_char(max(archived_at) AT TIME ZONE 'UTC', 'Mon FMDD, YYYY') AS since FROM shop.product
WHERE archived_at IS NOT NULL AND item_number = ANY ($1) GROUP BY item_number`;

/** By item number; a product without one by its name, if that is unique. */
export async function findExisting(db: Queryable, records: FileRecord[]): Promise<ExistingProducts> {
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
export function spellingOf(itemNumber: string): string {
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

/** New products with one number in two spellings are the same. */
export function keyOf(itemNumber: string, existing: Map<string, ExistingProduct>): string {
  return existing.has(itemNumber) ? itemNumber : spellingOf(itemNumber);
}
