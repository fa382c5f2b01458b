/** Filters and facet counts. Pure. The bands are those of database/migrations/0004-catalogue.sql. */

import type { CatalogueResult } from "../../api/catalogue-calls.ts";

export const PRICE_STEPS = [50, 100, 200, 400, 800] as const;
export const MINIMUM_STEPS = [5, 10, 20, 50] as const;

export const sorts = ["catalogue", "price", "-price", "name", "minimum"] as const;
export type Sort = (typeof sorts)[number];

/** At least one minimum order in stock; the other value: more than 500 pieces. */
export const stocks = ["covers", "over500"] as const;
export type Stock = (typeof stocks)[number];

export interface Filters {
  category: string[];
  power: string[];
  voltage: number[];
  price: number[];
  minimum?: number | undefined;
  stock?: Stock | undefined;
}

export const NO_FILTERS: Filters = { category: [], power: [], voltage: [], price: [] };

export interface FacetTuple {
  id: number;
  category: string | null;
  power: string | null;
  voltage: number | null;
  price_band: number;
  minimum_band: number;
  stock_band: number;
  tools: number;
}

/** For each value, the number of products with it that match the filters of all other facets. */
export type Facets = CatalogueResult["facets"];

export type Facet = keyof Facets;

export function hasFilters(filters: Filters): boolean {
  return testsOf(filters).length > 0;
}

export function matchingTuples(tuples: FacetTuple[], filters: Filters): FacetTuple[] {
  const tests = testsOf(filters);
  if (tests.length === 0) return tuples;
  return tuples.filter((tuple) => rejectionOf(tests, tuple) === "none");
}

export function productsIn(tuples: FacetTuple[]): number {
  return tuples.reduce((sum, tuple) => sum + tuple.tools, 0);
}

export function facetsOf(tuples: FacetTuple[], filters: Filters, categories: string[]): Facets {
  const tests = testsOf(filters);
  const counts = new FacetCounter();
  for (const tuple of tuples) {
    const rejection = rejectionOf(tests, tuple);
    // a tuple rejected by one filter counts only for the facet of that filter
    if (rejection !== "several") counts.add(tuple, rejection);
  }
  return counts.facets(categories);
}

/** The facet of the only filter that rejects a tuple. Runs thousands of times per search, so it allocates nothing. */
function rejectionOf(tests: Test[], tuple: FacetTuple): Facet | "none" | "several" {
  let rejection: Facet | "none" = "none";
  for (const { facet, accepts } of tests) {
    if (accepts(tuple)) continue;
    if (rejection !== "none") return "several";
    rejection = facet;
  }
  return rejection;
}

/** Result counts without the filter of one facet, largest first, without empty ones. */
export function relaxations(tuples: FacetTuple[], filters: Filters): { filter: Facet; tools: number }[] {
  const tests = testsOf(filters);
  return tests
    .map(({ facet: filter }) => {
      const others = tests.filter(({ facet }) => facet !== filter);
      const accepted = tuples.filter((tuple) => rejectionOf(others, tuple) === "none");
      return { filter, tools: productsIn(accepted) };
    })
    .filter(({ tools }) => tools > 0)
    .sort((a, b) => b.tools - a.tools);
}

interface Test {
  facet: Facet;
  accepts: (tuple: FacetTuple) => boolean;
}

function testsOf(filters: Filters): Test[] {
  const { category, power, voltage, price, minimum, stock } = filters;
  const tests: Test[] = [];
  const test = (facet: Facet, accepts: Test["accepts"]) => tests.push({ facet, accepts });
  if (category.length > 0) test("category", (tuple) => category.includes(tuple.category ?? ""));
  if (power.length > 0) test("power", (tuple) => power.includes(tuple.power ?? ""));
  if (voltage.length > 0) test("voltage", (tuple) => voltage.includes(tuple.voltage ?? Number.NaN));
  if (price.length > 0) test("price", (tuple) => price.includes(tuple.price_band));
  const minimumBand = MINIMUM_STEPS.findIndex((step) => step === minimum);
  if (minimum !== undefined) test("minimum", (tuple) => tuple.minimum_band <= minimumBand);
  if (stock !== undefined) test("stock", (tuple) => tuple.stock_band > stocks.indexOf(stock));
  return tests;
}

class FacetCounter {
  #category = new Map<string | null, number>();
  #power = new Map<string | null, number>();
  #voltage = new Map<number | null, number>();
  #price = new Map<number, number>();
  #minimum = new Map<number, number>();
  #stock = new Map<number, number>();

  add(tuple: FacetTuple, only: Facet | "none") {
    const { tools } = tuple;
    const all = only === "none";
    if (all || only === "category") increase(this.#category, tuple.category, tools);
    if (all || only === "power") increase(this.#power, tuple.power, tools);
    if (all || only === "voltage") increase(this.#voltage, tuple.voltage, tools);
    if (all || only === "price") increase(this.#price, tuple.price_band, tools);
    if (all || only === "minimum") increase(this.#minimum, tuple.minimum_band, tools);
    if (all || only === "stock") increase(this.#stock, tuple.stock_band, tools);
  }

  facets(categories: string[]): Facets {
    const positionOf = (name: string) => categories.indexOf(name);
    const sumWhere = (counts: Map<number, number>, holds: (band: number) => boolean) =>
      [...counts].reduce((sum, [band, tools]) => sum + (holds(band) ? tools : 0), 0);
    return {
      category: values(this.#category).sort((a, b) => positionOf(a.value) - positionOf(b.value)),
      power: values(this.#power).sort((a, b) => a.value.localeCompare(b.value)),
      voltage: values(this.#voltage).sort((a, b) => a.value - b.value),
      price: values(this.#price).sort((a, b) => a.value - b.value),
      minimum: MINIMUM_STEPS.map((value, step) => ({
        value,
        tools: sumWhere(this.#minimum, (band) => band <= step),
      })),
      stock: stocks.map((value, step) => ({ value, tools: sumWhere(this.#stock, (band) => band > step) })),
    };
  }
}

function increase<Value>(counts: Map<Value, number>, value: Value, by: number): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}

function values<Value>(counts: Map<Value | null, number>): { value: Value; tools: number }[] {
  return [...counts].flatMap(([value, tools]) => (value === null ? [] : [{ value, tools }]));
}
