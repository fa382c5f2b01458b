/**
 * One page of what matches, in order. What is rare is gathered through its words and sorted; what is common is
 * met soon on a walk along the order's own index. So neither ever looks at the whole catalogue.
 */
import type { Store } from "../store.ts";
import { hasOneOfEach, matches, type Place } from "./condition.ts";
import type { Cursor } from "./cursor.ts";
import { type Cell, COUNTED_TO, type Picks, type Sort } from "./facets.ts";
import type { Match } from "./match.ts";
import { type Segment, segmentsOf } from "./segments.ts";

export interface Wanted {
  match: Match;
  picks: Picks;
  /** the picks as lists of ids: a tool has one of each */
  picked: number[][];
  /** the cells that fit the picks */
  cells: Cell[];
  /** how many tools fit, as far as counted */
  fitting: number;
  /** how many match, as far as counted, whatever is picked */
  matching: number;
  catalogue: { categories: Map<string, number>; facetIds: Map<string, number> };
  /** "best": tools that are named so come first */
  sort: Sort | "best";
  after?: Cursor | undefined;
  limit: number;
  segment?: Segment;
}

export interface Found {
  id: string;
  key: string | number;
}

/** So many entries a walk looks at before it gives up. */
const WALK = 2000;
/** One in so many is met often enough on the order's own index. */
const OFTEN = 100;
const NAMED = 0;
const OTHERS = 1;

interface Order {
  /** an expression over an entry; what a cursor remembers */
  key: string;
  kind: "number" | "string";
  descending?: true;
  /** the key is the same for all: the order is by id alone */
  constant?: true;
}

const orders: Record<Sort | "best", Order> = {
  catalogue: { key: "category_position", kind: "number" },
  price: { key: "price_cents", kind: "number" },
  "-price": { key: "price_cents", kind: "number", descending: true },
  name: { key: "name", kind: "string" },
  minimum: { key: "minimum_order", kind: "number" },
  best: { key: "item_key", kind: "string" },
};
const named: Order = { key: String(NAMED), kind: "number", constant: true };
const others: Order = { key: String(OTHERS), kind: "number", constant: true };

/** Of which kind a cursor's key is in this order. */
export function keyKind(sort: Sort | "best", match: Match): "number" | "string" {
  return sort === "best" && match.kind === "words" ? "number" : orders[sort].kind;
}

/** At most `limit` tools after the cursor. */
export async function listEntries(store: Store, wanted: Wanted): Promise<Found[]> {
  if (wanted.fitting === 0) return [];
  if (wanted.sort !== "best" || wanted.match.kind !== "words") {
    return listOrdered(store, wanted, orders[wanted.sort], matching);
  }
  const { after, limit } = wanted;
  const first = after?.key === OTHERS ? [] : await listOrdered(store, wanted, named, matchingName);
  if (first.length === limit) return first;
  const rest = { ...wanted, limit: limit - first.length, after: after?.key === OTHERS ? after : undefined };
  return [...first, ...(await listOrdered(store, rest, others, matchingElsewhere))];
}

async function listOrdered(store: Store, wanted: Wanted, order: Order, match: Matching): Promise<Found[]> {
  const often = wanted.match.kind === "all" && wanted.fitting > wanted.matching / OFTEN;
  if (often) return run(store, straight, wanted, order, match);
  if (wanted.fitting <= COUNTED_TO) return run(store, gather, wanted, order, match);
  if (wanted.match.kind !== "words") return run(store, straight, wanted, order, match);
  const met = await run(store, walk, wanted, order, match);
  return met.length === wanted.limit ? met : listBySegments(store, wanted, order, match);
}

/** What is common, but not where the order begins: looked for in one part of the order after the other. */
async function listBySegments(store: Store, wanted: Wanted, order: Order, match: Matching): Promise<Found[]> {
  const segments = segmentsOf(wanted.sort, wanted.picks, wanted.catalogue, wanted.after);
  if (segments.length === 0) return run(store, gather, wanted, order, match);
  const found: Found[] = [];
  for (const segment of segments) {
    const part = { ...wanted, segment, limit: wanted.limit - found.length };
    const met = await run(store, walk, part, order, match);
    found.push(...(met.length === part.limit ? met : await run(store, gather, part, order, match)));
    if (found.length === wanted.limit) return found;
  }
  // what belongs to no part, such as tools without a category
  const last = found.at(-1) ?? wanted.after;
  const rest = { ...wanted, limit: wanted.limit - found.length, after: last };
  return [...found, ...(await run(store, gather, rest, order, match))];
}

type Matching = (wanted: Wanted, place: Place) => string;
type Plan = (wanted: Wanted, order: Order, match: Matching, place: Place) => string;

async function run(
  store: Store,
  plan: Plan,
  wanted: Wanted,
  order: Order,
  match: Matching,
): Promise<Found[]> {
  const values: unknown[] = [];
  const text = plan(wanted, order, match, (value) => `$${values.push(value)}`);
  return (await store.pool.query<Found>(text, values)).rows;
}

/** All the words; and the picks, by words too where the words lead, else by cell. */
const matching: Matching = ({ match, picked, cells }, place) => {
  if (match.kind === "words") return `${matches(match, place)} AND ${hasOneOfEach(picked, place)}`;
  if (picked.length === 0) return matches(match, place);
  return `${matches(match, place)} AND cell = ANY (${place(cells.map((cell) => cell.id))})`;
};
const matchingName: Matching = ({ match, picked }, place) =>
  `${matches(match, place, "named")} AND ${hasOneOfEach(picked, place)}`;
const matchingElsewhere: Matching = (wanted, place) =>
  `${matching(wanted, place)} AND NOT (${matches(wanted.match, place, "named")})`;

/** All conditions on the order's own index. */
const straight: Plan = (wanted, order, match, place) =>
  `SELECT product_id AS id, ${order.key} AS key FROM shop.catalogue_entry
   WHERE ${match(wanted, place)} AND ${within(wanted, order, place)} AND ${follows(wanted, order, place)}
   ${sorted(order, wanted.limit)}`;

/** First everything that matches, then its order. */
const gather: Plan = (wanted, order, match, place) => {
  const segment = wanted.segment ? ` AND ${hasOneOfEach([[wanted.segment.facetId]], place)}` : "";
  return `SELECT * FROM (
     SELECT product_id AS id, ${order.key} AS key FROM shop.catalogue_entry
     WHERE ${match(wanted, place)}${segment} OFFSET 0
   ) AS found (product_id, key) WHERE ${follows(wanted, { ...order, key: "key" }, place)}
   ${sorted({ ...order, key: "key" }, wanted.limit)}`.replace("SELECT *", "SELECT product_id AS id, key");
};

/** First the order, then what matches in its beginning. */
const walk: Plan = (wanted, order, match, place) =>
  `SELECT product_id AS id, ${order.key} AS key FROM (
     SELECT * FROM shop.catalogue_entry
     WHERE ${within(wanted, order, place)} AND ${follows(wanted, order, place)} ${sorted(order, WALK)}
   ) AS entry WHERE ${match(wanted, place)} ${sorted(order, wanted.limit)}`;

function sorted(order: Order, limit: number): string {
  const direction = order.descending ? "DESC" : "ASC";
  return `ORDER BY ${order.constant ? "" : `${order.key} ${direction}, `}product_id ${direction} LIMIT ${limit}`;
}

function follows({ after }: Wanted, order: Order, place: Place): string {
  if (!after) return "true";
  if (order.constant) return `product_id > ${place(after.id)}`;
  return `(${order.key}, product_id) ${order.descending ? "<" : ">"} (${place(after.key)}, ${place(after.id)})`;
}

/** The part of the order that can hold what is wanted, as a range of its key. */
function within({ picks, catalogue, sort, segment }: Wanted, order: Order, place: Place): string {
  if (order.constant) return "true";
  const ranges = segment ? [segment] : narrows(sort, picks) ? segmentsOf(sort, picks, catalogue) : [];
  if (ranges.length === 0) return "true";
  const from = Math.min(...ranges.map((range) => range.from));
  const below = Math.max(...ranges.map((range) => range.below));
  return `${order.key} >= ${place(from)} AND ${order.key} < ${place(below)}`;
}

/** Whether something is picked of the facet that the order goes along. */
function narrows(sort: Sort | "best", picks: Picks): boolean {
  if (sort === "catalogue") return picks.category.length > 0;
  if (sort === "minimum") return picks.minimum !== undefined;
  return (sort === "price" || sort === "-price") && picks.price.length > 0;
}
