/**
 * How many tools there are of every combination of facets. For the whole catalogue this is counted in an index
 * and remembered for fifty times as long as the counting took: always fresh in a small store, and never more
 * than some two per cent of one core in a large one.
 */
import type pg from "pg";
import type { Store } from "../store.ts";
import { hasOneOfEach, matches } from "./condition.ts";
import { type Cell, COUNTED_TO } from "./facets.ts";
import type { Match } from "./match.ts";
import { remember, WORTH } from "./remembered-counts.ts";

export interface Counted {
  cells: Cell[];
  /** false: there are more than were counted */
  exact: boolean;
  /** categories in the catalogue's order, with their positions */
  categories: Map<string, number>;
  /** the id of every value of a facet, such as "category=Sawing" */
  facetIds: Map<string, number>;
}

interface Remembered extends Counted {
  countedAt: number;
  tookMs: number;
  renewing?: Promise<Remembered> | undefined;
}

const NOTICEABLE_MS = 20;
const remembered = new WeakMap<pg.Pool, Remembered>();

const COUNT = `
SELECT cell.*, counted.tools FROM (
  SELECT cell, count(*) AS tools FROM shop.catalogue_entry GROUP BY cell
) AS counted JOIN shop.catalogue_cell cell ON cell.id = counted.cell`;

/** The cells of the whole catalogue; counts are at most a few seconds old, at any size. */
export async function countAll(store: Store): Promise<Counted> {
  const known = remembered.get(store.pool);
  if (!known) return renew(store);
  const old = performance.now() - known.countedAt > known.tookMs * WORTH;
  if (!old) return known;
  known.renewing ??= renew(store).finally(() => {
    known.renewing = undefined;
  });
  if (known.tookMs < NOTICEABLE_MS) return known.renewing;
  known.renewing.catch(() => {}); // whoever asks next tries again
  return known;
}

async function renew(store: Store): Promise<Remembered> {
  const countedAt = performance.now();
  const [{ rows: cells }, { rows: categories }, { rows: facets }] = await Promise.all([
    store.pool.query<Cell>({ name: "catalogue-count", text: COUNT }),
    store.pool.query<{ name: string; position: number }>(
      "SELECT name, position FROM shop.catalogue_category ORDER BY position",
    ),
    store.pool.query<{ word: string; id: number }>(
      "SELECT word, id FROM shop.catalogue_word WHERE kind = 'facet'",
    ),
  ]);
  const all = {
    cells,
    exact: true,
    categories: new Map(categories.map((row) => [row.name, row.position])),
    facetIds: new Map(facets.map((row) => [row.word, row.id])),
    countedAt,
    tookMs: performance.now() - countedAt,
  };
  remembered.set(store.pool, all);
  return all;
}

/** The cells of what matches, counted up to the bound; facets that are picked do not matter here. */
export async function countMatching(store: Store, match: Match): Promise<Counted> {
  const all = await countAll(store);
  if (match.kind === "all") return all;
  const rows = await remember(store.pool, JSON.stringify(match), () => countCells(store, match), isExact);
  const tools = new Map(rows.map((row) => [row.cell, row.tools]));
  const cells = all.cells.flatMap((cell) => {
    const found = tools.get(cell.id);
    return found === undefined ? [] : [{ ...cell, tools: found }];
  });
  return { ...all, cells, exact: isExact(rows) };
}

interface CellCount {
  cell: number;
  tools: number;
}

function isExact(rows: CellCount[]): boolean {
  return rows.reduce((sum, row) => sum + row.tools, 0) <= COUNTED_TO;
}

async function countCells(store: Store, match: Match): Promise<CellCount[]> {
  const values: unknown[] = [];
  const condition = matches(match, (value) => `$${values.push(value)}`);
  const { rows } = await store.pool.query<CellCount>(
    `SELECT cell, count(*) AS tools FROM (
       SELECT cell FROM shop.catalogue_entry WHERE ${condition} ORDER BY product_id LIMIT ${COUNTED_TO + 1}
     ) AS found GROUP BY cell`,
    values,
  );
  return rows;
}

/** How many match and fit the picks, counted up to the bound. */
export function countFitting(store: Store, match: Match, picks: number[][]): Promise<number> {
  const key = JSON.stringify([match, picks]);
  return remember(
    store.pool,
    key,
    () => countPicked(store, match, picks),
    (tools) => tools <= COUNTED_TO,
  );
}

async function countPicked(store: Store, match: Match, picks: number[][]): Promise<number> {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const condition = `${matches(match, place)} AND ${hasOneOfEach(picks, place)}`;
  const { rows } = await store.pool.query<{ tools: number }>(
    `SELECT count(*) AS tools FROM (
       SELECT FROM shop.catalogue_entry WHERE ${condition} ORDER BY product_id LIMIT ${COUNTED_TO + 1}
     ) AS found`,
    values,
  );
  return rows[0]?.tools ?? 0;
}
