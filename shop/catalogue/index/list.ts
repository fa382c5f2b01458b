/** One page of what matches, in order. Numbers are compared here, texts in the database, along an index of theirs. */
import type { Store } from "../../store.ts";
import type { Sort } from "../facets.ts";
import { type Bitmap, BLOCK_SHIFT, union, without, writeBits } from "./bitmap.ts";
import type { Cursor } from "./cursor.ts";
import type { AllowedTuples, CatalogueIndex } from "./index-cache.ts";
import type { ParsedQuery } from "./parse-query.ts";
import { allowedOf, firstInOrder } from "./sort.ts";

export interface Wanted {
  match: ParsedQuery;
  /** the places that match; undefined: all */
  bits: Bitmap | undefined;
  /** the same places by how well they match */
  tiers: (() => Bitmap)[];
  fits: AllowedTuples;
  /** how many match and fit */
  fitting: number;
  /** "best": tools that match best come first; item numbers in their own order */
  sort: Sort | "best";
  after?: Cursor | undefined;
  limit: number;
}

/** A place and its value in the order. */
export type Found = Cursor;

/** So many are gathered and sorted; more are met soon on a walk along the index. */
const GATHERED = 1000;

/** Of which kind a cursor's key is in this order. */
export function keyKind(sort: Sort | "best", match: ParsedQuery): "number" | "string" {
  return sort === "name" || (sort === "best" && match.kind !== "words") ? "string" : "number";
}

/** At most `limit` tools after the cursor. */
export async function listDocIds(store: Store, places: CatalogueIndex, wanted: Wanted): Promise<Found[]> {
  const { sort, match } = wanted;
  if (wanted.fitting === 0) return [];
  if (sort === "name") return listByText(store, places, wanted, "name");
  if (sort !== "best") return firstInOrder(places, wanted, sort);
  return match.kind === "words" ? listByTier(places, wanted) : listByText(store, places, wanted, "item_key");
}

function listByTier(places: CatalogueIndex, { tiers, fits, after, limit }: Wanted): Found[] {
  const found: Found[] = [];
  const from = (after?.key ?? 0) as number;
  let better: Bitmap = [];
  tiers.forEach((tierOf, key) => {
    if (found.length >= limit) return;
    const tier = tierOf();
    const bits = without(tier, better);
    better = union([better, tier]);
    if (key < from) return;
    places.each({ bits, fits, from: after?.key === key ? after.place + 1 : 0 }, (place) => {
      found.push({ key, place });
      return found.length < limit;
    });
  });
  return found;
}

async function listByText(
  store: Store,
  places: CatalogueIndex,
  wanted: Wanted,
  column: "name" | "item_key",
): Promise<Found[]> {
  const { match, after, limit } = wanted;
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions = [`${column} IS NOT NULL`];
  if (after) conditions.push(`(${column}, place) > (${value(after.key)}, ${value(after.place)})`);
  if (column === "item_key" && match.kind === "item") {
    const key = value(match.key);
    conditions.push(`item_key >= ${key} AND item_key < ${key} || chr(1114111)`);
  }
  conditions.push(...among(places, wanted, value));
  const { rows } = await store.pool.query<Found>(
    `SELECT place, ${column} AS key FROM shop.catalogue_entry
     WHERE ${conditions.join(" AND ")} ORDER BY ${column}, place LIMIT ${limit}`,
    values,
  );
  return rows;
}

/** The condition of being one of those that match and fit; none where all do. */
function among(
  places: CatalogueIndex,
  { bits, fits, fitting }: Wanted,
  value: (given: unknown) => string,
): string[] {
  if (!bits && !fits) return [];
  if (fitting <= GATHERED) {
    const list: number[] = [];
    places.each({ bits, fits }, (place) => list.push(place) > 0);
    return [`place = ANY (${value(list)})`];
  }
  const sent = fits ? allowedOf(places, bits, fits) : (bits as Bitmap);
  // one that came a moment ago lies behind the last bit
  return [
    `CASE WHEN place < ${value(sent.length << BLOCK_SHIFT)} THEN get_bit(${value(writeBits(sent))}::bit varying, place) = 1 END`,
  ];
}
