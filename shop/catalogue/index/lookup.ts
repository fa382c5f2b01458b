import type { Queryable } from "../../../database/client.ts";
import { atLeast, type Bitmap, bitsOf, hasFewerThan, intersection, union } from "./bitmap.ts";
import type { CatalogueIndex } from "./index-cache.ts";
import type { ParsedQuery, Sense } from "./parse-query.ts";

const ITEM_PREFIX = `
SELECT json_agg(place) AS "docIds" FROM shop.catalogue_entry WHERE item_key >= $1 AND item_key < $1 || chr(1114111)`;
const EXACTLY = `
SELECT json_agg(place) AS "docIds" FROM shop.catalogue_entry WHERE item_key = ANY ($1)`;

const MIN_FULL_MATCHES = 5;

export interface LookupResult {
  /** the documents that match; undefined: all */
  bits: Bitmap | undefined;
  /** the same documents, best match first; a document belongs to the first tier that has it */
  tiers: (() => Bitmap)[];
  full: Bitmap | undefined;
}

export async function lookup(
  pool: Queryable,
  index: CatalogueIndex,
  query: ParsedQuery,
  partialMatchesIf: "few" | "none",
): Promise<LookupResult> {
  if (query.kind === "all") return whole(undefined);
  if (query.kind === "words") {
    const ids = query.words.flat().flatMap(({ anywhere, named }) => [...anywhere, ...named].flat());
    return ranked(
      query.words,
      await index.words([...new Set(ids)]),
      partialMatchesIf === "few" ? MIN_FULL_MATCHES : 1,
    );
  }
  const { rows } = await pool.query<{ docIds: number[] | null }>(
    query.kind === "item"
      ? { name: "catalogue-item-places", text: ITEM_PREFIX, values: [query.key] }
      : { name: "catalogue-items-places", text: EXACTLY, values: [query.keys] },
  );
  return whole(bitsOf(rows[0]?.docIds ?? []));
}

function whole(bits: Bitmap | undefined): LookupResult {
  return { bits, tiers: [], full: bits };
}

/** Whole words before prefixes, matches in name or category first; then documents that lack a word. */
function ranked(words: Sense[][], known: Map<number, Bitmap>, few: number): LookupResult {
  const sets = (where: "anywhere" | "named", accepts: (sense: Sense) => boolean = () => true) =>
    words.map((senses) => union(senses.filter(accepts).map((sense) => docsWith(sense[where], known))));
  const isWhole = (sense: Sense) => sense.whole;
  const wholeWords = () => intersection(sets("anywhere", isWhole));
  const anywhere = sets("anywhere");
  const all = intersection(anywhere);
  const tiers = [
    () => intersection(sets("named", isWhole)),
    () => intersection([wholeWords(), union(sets("named", isWhole))]),
    wholeWords,
    () => intersection(sets("named")),
    () => all,
  ];
  let bits = all;
  if (words.length > 1 && hasFewerThan(all, few)) {
    const [some, someNamed] = [atLeast(anywhere), atLeast(sets("named"))];
    for (let level = words.length - 2; level >= 0 && hasFewerThan(bits, few); level -= 1) {
      bits = some[level] as Bitmap;
      tiers.push(
        () => someNamed[level] as Bitmap,
        () => some[level] as Bitmap,
      );
    }
  }
  return { bits, tiers, full: all };
}

function docsWith(words: number[][], known: Map<number, Bitmap>): Bitmap {
  return intersection(words.map((ids) => union(ids.map((id) => known.get(id) as Bitmap))));
}
