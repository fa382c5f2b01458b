import type { Request } from "../../api/contract.ts";
import type { Queryable } from "../../database/client.ts";
import { likePattern, likePatterns, type Select } from "../../database/pagination.ts";
import type { Store } from "../store.ts";

/** All words of `q` must match: of the buyer, product, item number, or an id or number of the order or payment. */
export type PurchaseFilter = Omit<
  Request<"searchPurchases">["query"],
  "status" | "sort" | "limit" | "cursor" | "zone"
> & {
  /** of `from` and `to`; UTC by default */
  zone?: string;
};

/** What other tables say about the filter. Arrays of ids, since a subquery would prevent the use of indexes. */
export interface FoundIds {
  /** by each word */
  q: string[][];
  /** if `q` or `item` is an item number in another notation */
  itemNumberOfQ: string | null;
  itemNumber: string | null;
  po: string[] | null;
  /** null also if there are too many */
  buyers: string[] | null;
}

/** Has a trigram index. */
export const PURCHASE_WORDS =
  "shop.purchase_words(name, email, product_name, item_number, transaction_id, id)";

/** Has a trigram index. */
const BUYER_WORDS = "(buyer.name || ' ' || buyer.email)";

// $4 also as PURCHASE_WORDS, for its index; $8 not as a join, so that only accounts of lines that are read are looked up
const FILTERS = ` AND ($1::uuid[] IS NULL OR user_id = ANY ($1))
  AND ($2::uuid IS NULL OR user_id = $2)
  AND ($3::uuid[] IS NULL OR order_id = ANY ($3))
  AND ($4::text IS NULL OR (${PURCHASE_WORDS} ILIKE $4 AND (product_name || ' ' || coalesce(item_number, '')) ILIKE $4))
  AND ($5::timestamptz IS NULL OR placed_at >= $5)
  AND ($6::timestamptz IS NULL OR placed_at < $6)
  AND ($7::integer IS NULL OR placed_at <= now() - make_interval(days => $7))
  AND ($8::text IS NULL OR (SELECT ${BUYER_WORDS} ILIKE $8 FROM shop.user buyer WHERE buyer.id = user_id))`;

/** `frequent` words are not looked up in their index, so that the rows are read in the order of the list. */
export function matchPurchases(filter: PurchaseFilter, found: FoundIds, frequent = false): Select {
  const text = frequent ? `(${PURCHASE_WORDS} || '')` : PURCHASE_WORDS;
  const patterns = likePatterns(filter.q);
  // with an empty array the planner would still expect orders, and read all matches
  const words = patterns.map((_, index) =>
    found.q[index]?.length
      ? ` AND (${text} ILIKE $${index * 2 + 10}::text OR order_id = ANY ($${index * 2 + 11}::uuid[]))`
      : ` AND ${text} ILIKE $${index * 2 + 10}::text AND cardinality($${index * 2 + 11}::uuid[]) = 0`,
  );
  return {
    text: `cancelled_at IS NULL${FILTERS} AND ((true${words.join("")}) OR ${text} ILIKE $9::text)`,
    values: [
      found.buyers,
      filter.customer ?? null,
      found.po,
      filter.item ? likePattern(found.itemNumber ?? filter.item) : null,
      filter.from ? startOf(Temporal.PlainDate.from(filter.from), filter.zone) : null,
      filter.to ? startOf(Temporal.PlainDate.from(filter.to).add({ days: 1 }), filter.zone) : null,
      filter.age ?? null,
      filter.buyer && !found.buyers ? likePattern(filter.buyer) : null,
      found.itemNumberOfQ && likePattern(found.itemNumberOfQ),
      ...patterns.flatMap((pattern, index) => [pattern, found.q[index]]),
    ],
  };
}

/** Not by PostgreSQL, whose list of zones may be older than the one that the zone was checked with. */
function startOf(day: Temporal.PlainDate, zone = "UTC"): Date {
  return new Date(day.toZonedDateTime(zone).epochMilliseconds);
}

/** Whether a filter may match few rows, which its own index finds. */
export function isSelective({ q, buyer, customer, po, item }: PurchaseFilter): boolean {
  return Boolean(q || buyer || customer || po || item);
}

export function isFiltered(filter: PurchaseFilter): boolean {
  return isSelective(filter) || Boolean(filter.from || filter.to || filter.age);
}

export async function findMatchingIds(
  { pool }: Store,
  { q, item, po, buyer }: PurchaseFilter,
): Promise<FoundIds> {
  const [orders, itemNumberOfQ, itemNumber, ofPo, buyers] = await Promise.all([
    Promise.all(likePatterns(q).map((word) => findOrdersByWord(pool, word))),
    spellItemNumber(pool, q),
    spellItemNumber(pool, item),
    po ? findOrdersByPo(pool, likePattern(po)) : null,
    buyer ? findBuyers(pool, likePattern(buyer)) : null,
  ]);
  return { q: orders, itemNumberOfQ, itemNumber, po: ofPo, buyers };
}

/** The item number of a product, if it is `typed` with other spaces or dashes than its orders have. */
export async function spellItemNumber(pool: Queryable, typed: string | undefined): Promise<string | null> {
  if (!typed) return null;
  const { rows } = await pool.query<{ item_number: string }>(
    `SELECT item_number FROM shop.product
     WHERE item_number IS NOT NULL AND shop.item_lookalike(item_number) = shop.item_lookalike($1)
       AND shop.item_key(item_number) = shop.item_key($1) AND shop.item_key($1) <> '' AND NOT item_number ILIKE ALL ($2)
     LIMIT 2`,
    [typed, likePatterns(typed)],
  );
  return (rows.length === 1 && rows[0]?.item_number) || null;
}

/** Only this many, the newest, are found by part of a number. */
const MAX_ORDERS = 1000;

async function findOrdersByWord(pool: Queryable, pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM shop.order WHERE number::text || ' ' || po_number ILIKE $1
     UNION SELECT order_id FROM shop.shipment WHERE tracking_number ILIKE $1
     ORDER BY id DESC LIMIT ${MAX_ORDERS}`,
    [pattern],
  );
  return rows.map(({ id }) => id);
}

async function findOrdersByPo(pool: Queryable, pattern: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM shop.order WHERE number::text || ' ' || po_number ILIKE $1 AND po_number ILIKE $1
     ORDER BY id DESC LIMIT ${MAX_ORDERS}`,
    [pattern],
  );
  return rows.map(({ id }) => id);
}

/** So many ids are looked up faster than they are compared, and read without delaying other requests. */
const MAX_BUYERS = 10_000;

/** Accounts that have orders: if they are too many, so are the orders, and some of these are read soon. */
async function findBuyers(pool: Queryable, pattern: string): Promise<string[] | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM shop.user buyer JOIN shop.customer ON user_id = buyer.id
     WHERE orders > 0 AND ${BUYER_WORDS} ILIKE $1 LIMIT ${MAX_BUYERS + 1}`,
    [pattern],
  );
  return rows.length > MAX_BUYERS ? null : rows.map(({ id }) => id);
}
