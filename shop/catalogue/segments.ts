import type { Cursor } from "./cursor.ts";
import { MINIMUM_STEPS, type Picks, PRICE_STEPS, type Sort } from "./facets.ts";

/** A part of an order that is also a value of a facet: where it begins and ends, and the facet's id. */
export interface Segment {
  from: number;
  /** the first key after it */
  below: number;
  facetId: number;
}

const END = 2_147_483_647;

/** The parts of an order that fit the picks and lie not before the cursor, in the order's own direction. */
export function segmentsOf(
  sort: Sort | "best",
  picks: Picks,
  catalogue: { categories: Map<string, number>; facetIds: Map<string, number> },
  after?: Cursor,
): Segment[] {
  const all = parts(sort, picks, catalogue.categories)
    .map(({ name, ...range }) => ({ ...range, facetId: catalogue.facetIds.get(name) ?? -1 }))
    .filter(({ facetId }) => facetId !== -1);
  const key = after?.key as number | undefined;
  if (sort === "-price") return all.filter(({ from }) => key === undefined || from <= key).reverse();
  return all.filter(({ below }) => key === undefined || below > key);
}

function parts(sort: Sort | "best", picks: Picks, categories: Map<string, number>) {
  if (sort === "catalogue") {
    const wanted = [...categories].filter(
      ([name]) => picks.category.length === 0 || picks.category.includes(name),
    );
    return wanted.map(([name, position]) => ({
      name: `category=${name}`,
      from: position,
      below: position + 1,
    }));
  }
  if (sort === "price" || sort === "-price") {
    const bands =
      picks.price.length > 0 ? picks.price.toSorted() : [0, ...PRICE_STEPS].map((_, band) => band);
    return bands.map((band) => ({
      name: `price=${band}`,
      from: (PRICE_STEPS[band - 1] ?? 0) * 100,
      below: PRICE_STEPS[band] === undefined ? END : PRICE_STEPS[band] * 100,
    }));
  }
  if (sort === "minimum") {
    const most =
      picks.minimum === undefined
        ? MINIMUM_STEPS.length
        : MINIMUM_STEPS.findIndex((step) => step === picks.minimum);
    return [...MINIMUM_STEPS, END - 1].slice(0, most + 1).map((step, band) => ({
      name: `minimum=${band}`,
      from: (MINIMUM_STEPS[band - 1] ?? 0) + 1,
      below: step + 1,
    }));
  }
  return [];
}
