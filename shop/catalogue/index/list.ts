import type { Store } from "../../store.ts";
import type { Sort } from "../facets.ts";
import { type Bitmap, BLOCK_SHIFT, union, without, writeBits } from "./bitmap.ts";
import type { Cursor } from "./cursor.ts";
import type { AllowedTuples, CatalogueIndex } from "./index-cache.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { allowedOf, firstInOrder } from "./sort.ts";

export interface ListRequest {
  query: ParsedQuery;
  bits: Bitmap | undefined;
  tiers: (() => Bitmap)[];
  allowed: AllowedTuples;
  total: number;
  /** "best": by tier, or by item number for a search of one */
  sort: Sort | "best";
  after?: Cursor | undefined;
  limit: number;
}

export type Hit = Cursor;

/** Up to this many document ids are sent as a list; more as a bitmap that filters an index scan. */
const MAX_LISTED = 1000;

export function keyKind(sort: Sort | "best", query: ParsedQuery): "number" | "string" {
  return sort === "name" || (sort === "best" && query.kind !== "words") ? "string" : "number";
}

export async function listDocIds(store: Store, index: CatalogueIndex, request: ListRequest): Promise<Hit[]> {
  const { sort, query } = request;
  if (request.total === 0) return [];
  if (sort === "name") return listByText(store, index, request, "name");
  if (sort !== "best") return firstInOrder(index, request, sort);
  return query.kind === "words" ? listByTier(index, request) : listByText(store, index, request, "item_key");
}

function listByTier(index: CatalogueIndex, { tiers, allowed, after, limit }: ListRequest): Hit[] {
  const found: Hit[] = [];
  const from = (after?.key ?? 0) as number;
  let better: Bitmap = [];
  tiers.forEach((tierOf, key) => {
    if (found.length >= limit) return;
    const tier = tierOf();
    const bits = without(tier, better);
    better = union([better, tier]);
    if (key < from) return;
    index.forEachDoc({ bits, allowed, from: after?.key === key ? after.docId + 1 : 0 }, (docId) => {
      found.push({ key, docId });
      return found.length < limit;
    });
  });
  return found;
}

async function listByText(
  store: Store,
  index: CatalogueIndex,
  request: ListRequest,
  column: "name" | "item_key",
): Promise<Hit[]> {
  const { query, after, limit } = request;
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions = [`${column} IS NOT NULL`];
  if (after) conditions.push(`(${column}, place) > (${value(after.key)}, ${value(after.docId)})`);
  if (column === "item_key" && query.kind === "item") {
    const key = value(query.key);
    conditions.push(`item_key >= ${key} AND item_key < ${key} || chr(1114111)`);
  }
  conditions.push(...documentConditions(index, request, value));
  const { rows } = await store.pool.query<Hit>(
    `SELECT place AS "docId", ${column} AS key FROM shop.catalogue_entry
     WHERE ${conditions.join(" AND ")} ORDER BY ${column}, place LIMIT ${limit}`,
    values,
  );
  return rows;
}

function documentConditions(
  index: CatalogueIndex,
  { bits, allowed, total }: ListRequest,
  value: (given: unknown) => string,
): string[] {
  if (!bits && !allowed) return [];
  if (total <= MAX_LISTED) {
    const list: number[] = [];
    index.forEachDoc({ bits, allowed }, (docId) => list.push(docId) > 0);
    return [`place = ANY (${value(list)})`];
  }
  const sent = allowed ? allowedOf(index, bits, allowed) : (bits as Bitmap);
  // a new product may be beyond the last bit
  return [
    `CASE WHEN place < ${value(sent.length << BLOCK_SHIFT)} THEN get_bit(${value(writeBits(sent))}::bit varying, place) = 1 END`,
  ];
}
