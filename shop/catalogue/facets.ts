/** Filters and facet counts. Pure. The bands are those of database/migrations/0004-catalogue.sql. */

/** Price bands, in dollars: from the one, below the next. */
export const PRICE_STEPS = [50, 100, 200, 400, 800] as const;
/** Bands of the minimum order: up to this many pieces. */
export const MINIMUM_STEPS = [5, 10, 20, 50] as const;

export const sorts = ["catalogue", "price", "-price", "name", "minimum"] as const;
export type Sort = (typeof sorts)[number];

/** At least one minimum order in stock; also more than 500 pieces. */
export const stocks = ["covers", "over500"] as const;
export type Stock = (typeof stocks)[number];

/** Selected facet values; an empty list does not filter. */
export interface Filters {
  category: string[];
  power: string[];
  /** in volts */
  voltage: number[];
  /** price bands by their number */
  price: number[];
  /** the largest minimum order, one of `MINIMUM_STEPS` */
  minimum?: number | undefined;
  stock?: Stock | undefined;
}

/** One combination of facet values and the number of products that have it. */
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

export interface FacetValue<Value> {
  value: Value;
  tools: number;
}

/** For each value, the number of products with it that match the filters of all other facets. */
export interface Facets {
  category: FacetValue<string>[];
  power: FacetValue<string>[];
  voltage: FacetValue<number>[];
  price: FacetValue<number>[];
  minimum: FacetValue<number>[];
  stock: FacetValue<Stock>[];
}

export type Facet = keyof Facets;

export function hasFilters(filters: Filters): boolean {
  return testsOf(filters).length > 0;
}

export function matchingTuples(tuples: FacetTuple[], filters: Filters): FacetTuple[] {
  const tests = testsOf(filters);
  return tuples.filter((tuple) => tests.every(([, accepts]) => accepts(tuple)));
}

export function productsIn(tuples: FacetTuple[]): number {
  return tuples.reduce((sum, tuple) => sum + tuple.tools, 0);
}

/** All facet counts in one pass. Categories are sorted as in `categories`. */
export function facetsOf(tuples: FacetTuple[], filters: Filters, categories: string[]): Facets {
  const tests = testsOf(filters);
  const counts = new FacetCounter();
  for (const tuple of tuples) {
    const failed = tests.filter(([, accepts]) => !accepts(tuple));
    // a tuple that one filter rejects counts only for the facet of that filter
    if (failed.length === 0) counts.add(tuple);
    else if (failed.length === 1) counts.add(tuple, failed[0]?.[0]);
  }
  return counts.facets(categories);
}

/** The number of products without the filter of one facet, largest first; empty results are left out. */
export function relaxations(tuples: FacetTuple[], filters: Filters): { filter: Facet; tools: number }[] {
  const tests = testsOf(filters);
  return tests
    .map(([filter]) => {
      const others = tests.filter(([facet]) => facet !== filter);
      return {
        filter,
        tools: productsIn(tuples.filter((tuple) => others.every(([, accepts]) => accepts(tuple)))),
      };
    })
    .filter(({ tools }) => tools > 0)
    .sort((a, b) => b.tools - a.tools);
}

/** One predicate for each facet that is filtered. */
function testsOf(filters: Filters): [Facet, (tuple: FacetTuple) => boolean][] {
  const { minimum, stock } = filters;
  const band = MINIMUM_STEPS.findIndex((step) => step === minimum);
  const tests: [Facet, (tuple: FacetTuple) => boolean][] = [];
  if (filters.category.length > 0)
    tests.push(["category", (tuple) => filters.category.includes(tuple.category ?? "")]);
  if (filters.power.length > 0) tests.push(["power", (tuple) => filters.power.includes(tuple.power ?? "")]);
  if (filters.voltage.length > 0)
    tests.push(["voltage", (tuple) => filters.voltage.includes(tuple.voltage ?? Number.NaN)]);
  if (filters.price.length > 0) tests.push(["price", (tuple) => filters.price.includes(tuple.price_band)]);
  if (minimum !== undefined) tests.push(["minimum", (tuple) => tuple.minimum_band <= band]);
  if (stock !== undefined) tests.push(["stock", (tuple) => tuple.stock_band > stocks.indexOf(stock)]);
  return tests;
}

class FacetCounter {
  #category = new Map<string | null, number>();
  #power = new Map<string | null, number>();
  #voltage = new Map<number | null, number>();
  #price = new Map<number, number>();
  #minimum = new Map<number, number>();
  #stock = new Map<number, number>();

  add(tuple: FacetTuple, only?: Facet) {
    const count = <Value>(facet: Facet, counts: Map<Value, number>, value: Value) => {
      if (only === undefined || only === facet) counts.set(value, (counts.get(value) ?? 0) + tuple.tools);
    };
    count("category", this.#category, tuple.category);
    count("power", this.#power, tuple.power);
    count("voltage", this.#voltage, tuple.voltage);
    count("price", this.#price, tuple.price_band);
    count("minimum", this.#minimum, tuple.minimum_band);
    count("stock", this.#stock, tuple.stock_band);
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

function values<Value>(counts: Map<Value | null, number>): FacetValue<Value>[] {
  return [...counts].flatMap(([value, tools]) => (value === null ? [] : [{ value, tools }]));
}
