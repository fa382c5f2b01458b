import type { CatalogueQuery, CatalogueResult } from "../../api/catalogue-calls.ts";
import type { Answer } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import { toProduct } from "../products/queries.ts";
import { isRefusal, type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import {
  type FacetTuple,
  type Filters,
  facetsOf,
  hasFilters,
  matchingTuples,
  productsIn,
  relaxations,
  type Sort,
} from "./facets.ts";
import { hasBit } from "./index/bitmap.ts";
import { readCursor, writeCursor } from "./index/cursor.ts";
import { type CatalogueIndex, catalogueIndexOf } from "./index/index-cache.ts";
import { type Found, keyKind, listDocIds } from "./index/list.ts";
import { lookup } from "./index/lookup.ts";
import { type ParsedQuery, parseQuery } from "./index/parse-query.ts";

/** Finds tools on sale, as they are now. Refuses a cursor that is not of this order. */
export async function searchCatalogue(
  store: Store,
  search: CatalogueQuery,
): Promise<CatalogueResult | Refusal> {
  const places = catalogueIndexOf(store.pool);
  const [match] = await Promise.all([
    search.q === "" ? ({ kind: "all" } as const) : parseQuery(store, search.q),
    places.refresh(),
  ]);
  const sort: Sort | "best" = search.sort ?? (match.kind === "all" ? "catalogue" : "best");
  const after = search.cursor ? readCursor(search.cursor, keyKind(sort, match)) : undefined;
  if (after === null) return refuseField("cursor", refusals.badCursor);
  const { bits, tiers, full } = await lookup(store.pool, places, match, sort === "best" ? "few" : "none");
  const cells = places.count(bits);
  const fittings = matchingTuples(cells, search);
  const fitting = productsIn(fittings);
  const fits = hasFilters(search) ? new Uint8Array(places.positions.length) : undefined;
  for (const { id } of fits ? fittings : []) (fits as Uint8Array)[id] = 1;
  const limit = search.limit + 1;
  const found = await listDocIds(store, places, { match, bits, tiers, fits, fitting, sort, after, limit });
  const shown = found.slice(0, search.limit);
  const last = shown.at(-1);
  const partial = full ? shown.findIndex(({ place }) => !hasBit(full, place)) : -1;
  return {
    tools: await readProducts(store, shown),
    total: fitting,
    facets: facetsOf(cells, search, places.categories),
    ...(match.kind === "words" && match.understood && { understood: match.understood }),
    ...(partial >= 0 && { partialFrom: partial }),
    ...(found.length > shown.length && last && { next: writeCursor(last) }),
    ...(fitting === 0 && fits && { without: relaxationsOf(places, cells, match, search) }),
  };
}

const SUGGESTED = 8;

/** What a search field suggests for these words. */
export async function suggestProducts(store: Store, q: string): Promise<Answer<"suggestTools"> | Refusal> {
  const none = { category: [], power: [], voltage: [], price: [] };
  const found = await searchCatalogue(store, { ...none, q, limit: SUGGESTED });
  if (isRefusal(found)) return found;
  const tools = found.tools.map(({ _id, name, itemNumber, picture, price }) => ({
    _id,
    name,
    ...(itemNumber && { itemNumber }),
    picture,
    price,
  }));
  return { tools, total: found.total };
}

/** Where nothing is left: what there would be without one of the filters, or without the words. */
function relaxationsOf(places: CatalogueIndex, cells: FacetTuple[], { kind }: ParsedQuery, picks: Filters) {
  const filters = relaxations(cells, picks);
  const tools = kind === "all" ? 0 : productsIn(matchingTuples(places.count(undefined), picks));
  return tools > 0 ? [...filters, { filter: "q" as const, tools }] : filters;
}

type Row = Parameters<typeof toProduct>[0] & { place: number };

const TOOLS = `
SELECT product.*, entry.place FROM shop.catalogue_entry entry JOIN shop.product ON product.id = entry.product_id
WHERE entry.place = ANY ($1)`;

async function readProducts(store: Store, found: Found[]): Promise<Product[]> {
  if (found.length === 0) return [];
  const values = [found.map(({ place }) => place)];
  const { rows } = await store.pool.query<Row>({ name: "catalogue-tools", text: TOOLS, values });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  // one that left the catalogue between the two reads is left out
  return found.flatMap(({ place }) => byPlace.get(place) ?? []).map(toProduct);
}
