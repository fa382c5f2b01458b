import type { CatalogueQuery, CatalogueResult } from "../../api/catalogue-calls.ts";
import type { Product } from "../../api/entities.ts";
import { toProduct } from "../products/queries.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Store } from "../store.ts";
import { pickedIds } from "./condition.ts";
import { type Counted, countAll, countFitting, countMatching } from "./counts.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { COUNTED_TO, facetsOf, fittingCells, type Picks, type Sort, toolsIn, withoutEach } from "./facets.ts";
import { type Found, keyKind, listEntries } from "./list.ts";
import { type Match, understand } from "./match.ts";

/** Finds tools on sale. Refuses a cursor that is not of this order. */
export async function searchCatalogue(
  store: Store,
  search: CatalogueQuery,
): Promise<CatalogueResult | Refusal> {
  const match = search.q === "" ? ({ kind: "all" } as const) : await understand(store, search.q);
  const sort: Sort | "best" = search.sort ?? (match.kind === "all" ? "catalogue" : "best");
  const after = search.cursor ? readCursor(search.cursor, keyKind(sort, match)) : undefined;
  if (after === null) return refuseField("cursor", refusals.badCursor);
  const counted = await countMatching(store, match);
  const picked = pickedIds(search, counted.facetIds);
  const fitting =
    counted.exact || picked.length === 0
      ? toolsIn(fittingCells(counted.cells, search))
      : await countFitting(store, match, picked);
  const found = await listEntries(store, {
    match,
    picks: search,
    picked,
    cells: fittingCells(counted.cells, search),
    fitting,
    matching: toolsIn(counted.cells),
    catalogue: counted,
    sort,
    after,
    limit: search.limit + 1,
  });
  const shown = found.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    tools: await readTools(store, shown),
    total: counted.exact ? fitting : Math.min(fitting, COUNTED_TO),
    exact: counted.exact || fitting <= COUNTED_TO,
    facets: facetsOf(counted.cells, search, [...counted.categories.keys()]),
    ...(match.kind === "words" && match.understood && { understood: match.understood }),
    ...(found.length > shown.length && last && { next: writeCursor(last) }),
    ...(fitting === 0 && picked.length > 0 && { without: await leftWithout(store, match, counted, search) }),
  };
}

/** Where nothing is left: what there would be without one of the filters, or without the words. From counts at hand. */
async function leftWithout(store: Store, match: Match, counted: Counted, picks: Picks) {
  const filters = withoutEach(counted.cells, picks).map((one) => ({ ...one, exact: counted.exact }));
  if (match.kind === "all") return filters;
  const tools = toolsIn(fittingCells((await countAll(store)).cells, picks));
  return tools > 0 ? [...filters, { filter: "q" as const, tools, exact: true }] : filters;
}

async function readTools(store: Store, found: Found[]): Promise<Product[]> {
  if (found.length === 0) return [];
  const rows = await store.database
    .selectFrom("shop.product")
    .selectAll()
    .where(
      "id",
      "in",
      found.map((one) => one.id),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  // one that left the catalogue between the two reads is left out
  return found
    .flatMap(({ id }) => byId.get(id) ?? [])
    .filter((row) => row.archived_at === null)
    .map(toProduct);
}
