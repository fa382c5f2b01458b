import type { CatalogueQuery, CatalogueResult } from "../../api/catalogue-calls.ts";
import type { Product } from "../../api/entities.ts";
import { toProduct } from "../products/queries.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Store } from "../store.ts";
import { type Counted, countAll, countMatching, countWithin } from "./counts.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { COUNTED_TO, facetsOf, fittingCells, hasPicks, type Picks, type Sort, toolsIn } from "./facets.ts";
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
  const [all, counted] = await Promise.all([countAll(store), countMatching(store, match)]);
  const cells = hasPicks(search) ? fittingCells(all.cells, search).map((cell) => cell.id) : null;
  const fitting = await countFitting(store, match, counted, search, cells);
  const wanted = { match, picks: search, cells, fitting, sort, after, limit: search.limit + 1 };
  const found = await listEntries(store, wanted);
  const shown = found.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    tools: await readTools(store, shown),
    total: counted.exact ? fitting : Math.min(fitting, COUNTED_TO),
    exact: counted.exact || fitting <= COUNTED_TO,
    facets: facetsOf(counted.cells, search, all.categories),
    ...(match.kind === "words" && match.understood && { understood: match.understood }),
    ...(found.length > shown.length && last && { next: writeCursor(last) }),
  };
}

/** How many tools match and fit the picks: summed where the cells were all counted, else counted to the bound. */
async function countFitting(
  store: Store,
  match: Match,
  counted: Counted,
  picks: Picks,
  cells: number[] | null,
): Promise<number> {
  if (counted.exact || cells === null) return toolsIn(fittingCells(counted.cells, picks));
  return countWithin(store, match, cells);
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
