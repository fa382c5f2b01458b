/**
 * One page of what matches, in order. What is rare is gathered through its words and sorted; what is common is
 * met soon on a walk along the order's own index. So neither ever looks at the whole catalogue.
 */
import type { Store } from "../store.ts";
import { conditionOf } from "./condition.ts";
import type { Cursor } from "./cursor.ts";
import { COUNTED_TO, type Picks, PRICE_STEPS, type Sort } from "./facets.ts";
import type { Match } from "./match.ts";

export interface Wanted {
  match: Match;
  picks: Picks;
  /** the cells that fit the picks; null for all of them */
  cells: number[] | null;
  /** how many tools fit, as far as counted */
  fitting: number;
  /** "best": tools that are named so come first */
  sort: Sort | "best";
  after?: Cursor | undefined;
  limit: number;
}

export interface Found {
  id: string;
  key: string | number;
}

/** So many entries a walk looks at before it gives up. */
const WALK = 5000;
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
  const common = wanted.fitting > COUNTED_TO;
  if (common && wanted.match.kind !== "words") return run(store, straight, wanted, order, match);
  const met = common ? await run(store, walk, wanted, order, match) : [];
  return met.length === wanted.limit ? met : run(store, gather, wanted, order, match);
}

type Place = (value: unknown) => string;
type Matching = (match: Match, values: unknown[]) => string;
type Plan = (wanted: Wanted, order: Order, match: () => string, place: Place) => string;

async function run(
  store: Store,
  plan: Plan,
  wanted: Wanted,
  order: Order,
  match: Matching,
): Promise<Found[]> {
  const values: unknown[] = [];
  const text = plan(
    wanted,
    order,
    () => match(wanted.match, values),
    (value) => `$${values.push(value)}`,
  );
  return (await store.pool.query<Found>(text, values)).rows;
}

const matching: Matching = (match, values) => conditionOf(match, values);
const matchingName: Matching = (match, values) => conditionOf(match, values, "named");
const matchingElsewhere: Matching = (match, values) =>
  `${conditionOf(match, values)} AND product_id NOT IN (
     SELECT product_id FROM shop.catalogue_entry WHERE ${conditionOf(match, values, "named")})`;

/** All conditions on the order's own index. */
const straight: Plan = (wanted, order, match, place) =>
  `SELECT product_id AS id, ${order.key} AS key FROM shop.catalogue_entry
   WHERE ${match()} AND ${fits(wanted, order, place)} AND ${follows(wanted, order, place)} ${sorted(order, wanted.limit)}`;

/** First everything that matches, then its order. */
const gather: Plan = (wanted, order, match, place) =>
  `WITH found AS MATERIALIZED (
     SELECT * FROM shop.catalogue_entry WHERE ${match()} AND ${fits(wanted, undefined, place)}
   ) SELECT product_id AS id, ${order.key} AS key FROM found
   WHERE ${follows(wanted, order, place)} ${sorted(order, wanted.limit)}`;

/** First the order, then what matches in its beginning. */
const walk: Plan = (wanted, order, match, place) =>
  `SELECT product_id AS id, ${order.key} AS key FROM (
     SELECT * FROM shop.catalogue_entry
     WHERE ${fits(wanted, order, place)} AND ${follows(wanted, order, place)} ${sorted(order, WALK)}
   ) AS entry WHERE ${match()} ${sorted(order, wanted.limit)}`;

function sorted(order: Order, limit: number): string {
  const direction = order.descending ? "DESC" : "ASC";
  return `ORDER BY ${order.constant ? "" : `${order.key} ${direction}, `}product_id ${direction} LIMIT ${limit}`;
}

function follows({ after }: Wanted, order: Order, place: Place): string {
  if (!after) return "true";
  if (order.constant) return `product_id > ${place(after.id)}`;
  return `(${order.key}, product_id) ${order.descending ? "<" : ">"} (${place(after.key)}, ${place(after.id)})`;
}

/** The picks as cells; and as a range of the order's key, where that shortens the walk. */
function fits({ cells, picks }: Wanted, order: Order | undefined, place: Place): string {
  const conditions = cells ? [`cell = ANY (${place(cells)})`] : ["true"];
  if (order?.key === "category_position" && picks.category.length > 0) {
    conditions.push(`category_position = ANY (ARRAY(
      SELECT position FROM shop.catalogue_category WHERE name = ANY (${place(picks.category)})))`);
  }
  if (order?.key === "price_cents" && picks.price.length > 0) {
    const lowest = PRICE_STEPS[Math.min(...picks.price) - 1] ?? 0;
    const highest = PRICE_STEPS[Math.max(...picks.price)] ?? 10_000_000;
    conditions.push(`price_cents >= ${place(lowest * 100)} AND price_cents < ${place(highest * 100)}`);
  }
  if (order?.key === "minimum_order" && picks.minimum !== undefined) {
    conditions.push(`minimum_order <= ${place(picks.minimum)}`);
  }
  return conditions.join(" AND ");
}
