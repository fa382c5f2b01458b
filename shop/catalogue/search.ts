import {
  type CatalogueDetail,
  type CatalogueQuery,
  type CatalogueResult,
  catalogueCalls,
} from "../../api/catalogue-calls.ts";
import type { Output } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import { PRODUCT_COLUMNS, type ProductColumns, ROW_COLUMNS, toProduct } from "../products/columns.ts";
import { isRefusal, type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import {
  type Facets,
  type FacetTuple,
  type Filters,
  hasFilters,
  matchingTuples,
  NO_FILTERS,
  productsIn,
  relaxations,
  type Sort,
} from "./facets.ts";
import { hasBit, hasFewerThan } from "./index/bitmap.ts";
import { readCursor, writeCursor } from "./index/cursor.ts";
import { type CatalogueIndex, catalogueIndexOf } from "./index/index-cache.ts";
import { type Hit, keyKind, listDocIds } from "./index/list.ts";
import { lookup } from "./index/lookup.ts";
import { type ParsedQuery, parseQuery } from "./index/parse-query.ts";

/** "AG 125-14" or "ag12514", but not "18 V drill" or "saw 125". */
function looksLikeItemNumber(text: string, query: ParsedQuery): boolean {
  const words = text.split(/\s+/);
  const isOfName = query.kind === "words" && query.words[0]?.some(({ named }) => named.flat().length > 0);
  if (isOfName) return false;
  return /^\p{L}{1,4}[\s-]?\d/u.test(text) && words.slice(1).every((word) => /\d/.test(word));
}

export async function searchCatalogue(
  store: Store,
  search: CatalogueQuery,
  detail: CatalogueDetail = "products",
): Promise<CatalogueResult | Refusal> {
  const index = catalogueIndexOf(store.pool);
  const [query] = await Promise.all([
    search.q === "" ? ({ kind: "all" } as const) : parseQuery(store, search.q),
    index.refresh(),
  ]);
  const sort: Sort | "best" = search.sort ?? (query.kind === "all" ? "catalogue" : "best");
  const after = search.cursor ? readCursor(search.cursor, keyKind(sort, query)) : undefined;
  if (after === null) return refuseField("cursor", refusals.badCursor);
  const { bits, tiers, full } = await lookup(store.pool, index, query, sort === "best" ? "few" : "none");
  const tuples = index.count(bits);
  const matching = matchingTuples(tuples, search);
  const total = productsIn(matching);
  const allowed = hasFilters(search) ? new Uint8Array(index.positions.length) : undefined;
  for (const { id } of allowed ? matching : []) (allowed as Uint8Array)[id] = 1;
  const limit = search.limit + 1;
  const found = await listDocIds(store, index, { query, bits, tiers, allowed, total, sort, after, limit });
  const shown = found.slice(0, search.limit);
  const last = shown.at(-1);
  const hasNoMatch = query.kind === "items" || (full !== undefined && hasFewerThan(full, 1));
  const partial = full ? shown.findIndex(({ docId }) => !hasBit(full, docId)) : -1;
  return {
    tools: await readProducts(store, shown, detail),
    total,
    facets: index.facets(tuples, search),
    ...(query.kind === "words" && query.understood && { understood: query.understood }),
    ...(partial >= 0 && { partialFrom: partial }),
    ...(total > 0 && hasNoMatch && looksLikeItemNumber(search.q, query) && { unknownNumber: true }),
    ...(found.length > shown.length && last && { next: writeCursor(last) }),
    ...(total === 0 && allowed && { without: relaxationsOf(index, tuples, query, search) }),
  };
}

export async function readFacets(
  { pool }: Store,
  filters: Filters,
): Promise<{ facets: Facets; total: number }> {
  const index = catalogueIndexOf(pool);
  await index.refresh();
  const tuples = index.count(undefined);
  return { facets: index.facets(tuples, filters), total: productsIn(matchingTuples(tuples, filters)) };
}

const SUGGESTED = 8;

export async function suggestProducts(store: Store, q: string): Promise<Output<"suggestTools"> | Refusal> {
  const found = await searchCatalogue(store, { ...NO_FILTERS, q, limit: SUGGESTED }, "rows");
  if (isRefusal(found)) return found;
  return catalogueCalls.suggestTools.output.parse(found);
}

function relaxationsOf(index: CatalogueIndex, tuples: FacetTuple[], { kind }: ParsedQuery, filters: Filters) {
  const found = relaxations(tuples, filters);
  const tools = kind === "all" ? 0 : productsIn(matchingTuples(index.count(undefined), filters));
  return tools > 0 ? [...found, { filter: "q" as const, tools }] : found;
}

type Row = ProductColumns & { docId: number };

const FROM_ENTRIES = `
FROM shop.catalogue_entry entry JOIN shop.product ON product.id = entry.product_id
WHERE entry.place = ANY ($1)`;
const FIND_PRODUCTS = `SELECT ${PRODUCT_COLUMNS}, entry.place AS "docId" ${FROM_ENTRIES}`;
const FIND_ROWS = `SELECT ${ROW_COLUMNS}, entry.place AS "docId" ${FROM_ENTRIES}`;

async function readProducts(store: Store, hits: Hit[], detail: CatalogueDetail): Promise<Product[]> {
  if (hits.length === 0) return [];
  const values = [hits.map(({ docId }) => docId)];
  const { rows } = await store.pool.query<Row>({
    name: `catalogue-${detail}`,
    text: detail === "rows" ? FIND_ROWS : FIND_PRODUCTS,
    values,
  });
  const byDocId = new Map(rows.map((row) => [row.docId, row]));
  // a product that was removed between the two reads is omitted
  return hits.flatMap(({ docId }) => byDocId.get(docId) ?? []).map(toProduct);
}
