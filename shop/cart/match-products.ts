import { editDistance } from "../catalogue/index/edit-distance.ts";
import { PRODUCT_COLUMNS, type ProductColumns } from "../products/columns.ts";
import type { Store } from "../store.ts";

export type MatchedProduct = ProductColumns & { archived: boolean };

export interface Match {
  product?: MatchedProduct;
  candidates: MatchedProduct[];
}

/** How a product matches a text, the best first. `lookalike` treats O and 0 as equal; `similar` is only suggested. */
const RANK = { itemNumber: 1, lookalike: 2, name: 3, similar: 4 };

const MAX_CANDIDATES = 3;

/** How many texts get similar products as suggestions; the rest of a large paste gets none. */
const MAX_SUGGESTED = 500;

export async function findProductsById(
  { pool }: Store,
  ids: readonly string[],
): Promise<Map<string, MatchedProduct>> {
  const { rows } = await pool.query<MatchedProduct>({
    name: "products-by-id",
    text: `SELECT ${PRODUCT_COLUMNS}, archived_at IS NOT NULL AS archived
      FROM shop.product WHERE id = ANY ($1::uuid[])`,
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export async function matchProducts({ pool }: Store, texts: readonly string[]): Promise<Map<string, Match>> {
  const distinct = [...new Set(texts)];
  const { rows } = await pool.query<MatchedProduct & { asked: number; rank: number }>({
    name: "match-products",
    text: MATCH,
    values: [distinct, MAX_SUGGESTED],
  });
  const found = Map.groupBy(rows, (row) => row.asked);
  return new Map(distinct.map((text, at) => [text, choose(text, found.get(at + 1) ?? [])]));
}

/** The match is the only product of the best rank that has any. */
function choose(text: string, rows: (MatchedProduct & { rank: number })[]): Match {
  const best = Math.min(...rows.map(({ rank }) => rank));
  const matching = best < RANK.similar ? rows.filter(({ rank }) => rank === best) : [];
  if (matching.length === 1 && matching[0]) return { product: matching[0], candidates: [] };
  const candidates = matching.length > 0 ? matching : rankBySimilarity(text, rows);
  return { candidates: candidates.slice(0, MAX_CANDIDATES) };
}

function rankBySimilarity<Row extends MatchedProduct>(text: string, rows: Row[]): Row[] {
  const key = keyOf(text);
  const maxEdits = Math.max(1, Math.floor(key.length / 3));
  const distance = (row: Row) =>
    Math.min(
      editDistance(key, keyOf(row.item_number ?? ""), maxEdits),
      editDistance(key, keyOf(row.name), maxEdits),
    );
  return rows
    .map((row) => ({ row, edits: distance(row) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((one, other) => one.edits - other.edits || one.row.name.localeCompare(other.row.name))
    .map(({ row }) => row);
}

function keyOf(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

// The limits make each text an index scan of its own, also if many products share a name. Similar ones are the
// neighbours in the order of the item numbers and of the names.
const MATCH = `
WITH asked AS MATERIALIZED (
  SELECT place::int AS asked, shop.item_key(text) AS key, shop.item_lookalike(text) AS lookalike,
    shop.name_key(text) AS name,
    ARRAY[shop.name_key(text), shop.name_key(normalize(text, NFC)), shop.name_key(normalize(text, NFD))] AS names
  FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place)
), exact AS MATERIALIZED (
  SELECT asked, id, rank FROM asked, LATERAL (
    SELECT id, CASE WHEN shop.item_key(item_number) = key THEN ${RANK.itemNumber} ELSE ${RANK.lookalike} END AS rank FROM shop.product
    WHERE lookalike <> '' AND item_number IS NOT NULL AND archived_at IS NULL AND shop.item_lookalike(item_number) = lookalike
    ORDER BY rank LIMIT ${MAX_CANDIDATES}
  ) AS numbered
  UNION ALL
  SELECT asked, id, ${RANK.name} FROM asked, LATERAL (
    SELECT id FROM shop.product WHERE archived_at IS NULL AND shop.name_key(product.name) = ANY (names)
    LIMIT ${MAX_CANDIDATES}
  ) AS named
), unknown AS (
  SELECT * FROM asked WHERE lookalike <> '' AND NOT EXISTS (SELECT FROM exact WHERE exact.asked = asked.asked)
  ORDER BY asked LIMIT $2
), suggested AS (
  SELECT asked, neighbour.id FROM unknown, LATERAL (
    (SELECT id FROM shop.product WHERE item_number IS NOT NULL AND archived_at IS NULL AND shop.item_lookalike(item_number) >= lookalike
     ORDER BY shop.item_lookalike(item_number) LIMIT 6)
    UNION
    (SELECT id FROM shop.product WHERE item_number IS NOT NULL AND archived_at IS NULL AND shop.item_lookalike(item_number) < lookalike
     ORDER BY shop.item_lookalike(item_number) DESC LIMIT 6)
    UNION
    (SELECT id FROM shop.product WHERE archived_at IS NULL AND shop.name_key(product.name) >= unknown.name
     ORDER BY shop.name_key(product.name) LIMIT 3)
    UNION
    (SELECT id FROM shop.product WHERE archived_at IS NULL AND shop.name_key(product.name) < unknown.name
     ORDER BY shop.name_key(product.name) DESC LIMIT 3)
  ) AS neighbour
), found AS (
  SELECT asked, id, min(rank) AS rank
  FROM (SELECT * FROM exact UNION ALL SELECT asked, id, ${RANK.similar} FROM suggested) AS every
  GROUP BY asked, id
)
SELECT found.asked, found.rank, ${PRODUCT_COLUMNS}, archived_at IS NOT NULL AS archived
FROM found JOIN shop.product USING (id)`;
