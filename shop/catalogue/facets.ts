/**
 * The catalogue: finding tools among thirty or a million. A search is its words, the facets that are picked and
 * an order; the answer is a page of tools, how many there are, and what each further pick would leave.
 * These rules are pure. The bands are those of database/migrations/0004-catalogue.sql.
 */

/** Price bands, in dollars: from the one, below the next. */
export const PRICE_STEPS = [50, 100, 200, 400, 800] as const;
/** Bands of the minimum order: up to this many pieces. */
export const MINIMUM_STEPS = [5, 10, 20, 50] as const;

export const sorts = ["catalogue", "price", "-price", "name", "minimum"] as const;
export type Sort = (typeof sorts)[number];

/** The stock covers one minimum order; it does, and is over 500 pieces. */
export const stocks = ["covers", "over500"] as const;
export type Stock = (typeof stocks)[number];

/** What a buyer picked; an empty list picks everything. */
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

/** One combination of facets, and how many tools have it. */
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

/** What each further pick would leave, given all the others. */
export interface Facets {
  category: FacetValue<string>[];
  power: FacetValue<string>[];
  voltage: FacetValue<number>[];
  price: FacetValue<number>[];
  minimum: FacetValue<number>[];
  stock: FacetValue<Stock>[];
}

export type Facet = keyof Facets;

/** Whether anything is picked. */
export function hasFilters(picks: Filters): boolean {
  return testsOf(picks).length > 0;
}

/** The cells that fit all picks. */
export function matchingTuples(cells: FacetTuple[], picks: Filters): FacetTuple[] {
  const tests = testsOf(picks);
  return cells.filter((cell) => tests.every(([, fits]) => fits(cell)));
}

/** How many tools these cells hold. */
export function productsIn(cells: FacetTuple[]): number {
  return cells.reduce((sum, cell) => sum + cell.tools, 0);
}

/** The counts beside every facet, in one pass. Categories come in the order of `categories`. */
export function facetsOf(cells: FacetTuple[], picks: Filters, categories: string[]): Facets {
  const tests = testsOf(picks);
  const counts = new Tally();
  for (const cell of cells) {
    const failed = tests.filter(([, fits]) => !fits(cell));
    // a cell that fits all but one pick counts beside the values of that facet alone
    if (failed.length === 0) counts.add(cell);
    else if (failed.length === 1) counts.add(cell, failed[0]?.[0]);
  }
  return counts.facets(categories);
}

/** How many tools there would be without what is picked of a facet; only where there would be some, most first. */
export function relaxations(cells: FacetTuple[], picks: Filters): { filter: Facet; tools: number }[] {
  const tests = testsOf(picks);
  return tests
    .map(([filter]) => {
      const others = tests.filter(([facet]) => facet !== filter);
      return { filter, tools: productsIn(cells.filter((cell) => others.every(([, fits]) => fits(cell)))) };
    })
    .filter(({ tools }) => tools > 0)
    .sort((a, b) => b.tools - a.tools);
}

/** One test for each facet in which something is picked. */
function testsOf(picks: Filters): [Facet, (cell: FacetTuple) => boolean][] {
  const { minimum, stock } = picks;
  const band = MINIMUM_STEPS.findIndex((step) => step === minimum);
  const tests: [Facet, (cell: FacetTuple) => boolean][] = [];
  if (picks.category.length > 0)
    tests.push(["category", (cell) => picks.category.includes(cell.category ?? "")]);
  if (picks.power.length > 0) tests.push(["power", (cell) => picks.power.includes(cell.power ?? "")]);
  if (picks.voltage.length > 0)
    tests.push(["voltage", (cell) => picks.voltage.includes(cell.voltage ?? Number.NaN)]);
  if (picks.price.length > 0) tests.push(["price", (cell) => picks.price.includes(cell.price_band)]);
  if (minimum !== undefined) tests.push(["minimum", (cell) => cell.minimum_band <= band]);
  if (stock !== undefined) tests.push(["stock", (cell) => cell.stock_band > stocks.indexOf(stock)]);
  return tests;
}

class Tally {
  #category = new Map<string | null, number>();
  #power = new Map<string | null, number>();
  #voltage = new Map<number | null, number>();
  #price = new Map<number, number>();
  #minimum = new Map<number, number>();
  #stock = new Map<number, number>();

  add(cell: FacetTuple, only?: Facet) {
    const count = <Value>(facet: Facet, counts: Map<Value, number>, value: Value) => {
      if (only === undefined || only === facet) counts.set(value, (counts.get(value) ?? 0) + cell.tools);
    };
    count("category", this.#category, cell.category);
    count("power", this.#power, cell.power);
    count("voltage", this.#voltage, cell.voltage);
    count("price", this.#price, cell.price_band);
    count("minimum", this.#minimum, cell.minimum_band);
    count("stock", this.#stock, cell.stock_band);
  }

  facets(categories: string[]): Facets {
    const place = (name: string) => categories.indexOf(name);
    const sumWhere = (counts: Map<number, number>, holds: (band: number) => boolean) =>
      [...counts].reduce((sum, [band, tools]) => sum + (holds(band) ? tools : 0), 0);
    return {
      category: values(this.#category).sort((a, b) => place(a.value) - place(b.value)),
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
