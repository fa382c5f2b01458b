import type { Answer } from "../../api/contract.ts";
import { likePatterns, readPage, type Select, type Sorting } from "../../database/pagination.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import {
  type FulfillmentStatus,
  fulfillmentStatusSql,
  STATUS_COUNTS,
  TO_SHIP,
} from "./fulfillment-status.ts";

export interface OrderSearch {
  status?: FulfillmentStatus | undefined;
  /**
   * words of the buyer's name, email, product, item number, transaction id or order id, or of the order's number, PO
   * number or a tracking number; all must match
   */
  q?: string | undefined;
  /** `waiting`: purchases to be shipped, by the time of payment */
  sort: "newest" | "oldest" | "total" | "waiting";
  limit: number;
  cursor?: string | undefined;
}

export interface OrderPage {
  orders: Answer<"searchPurchases">["orders"];
  /** matches of `q` by status */
  counts: { all: number } & Record<FulfillmentStatus, number>;
  /** purchases to be shipped in the whole store */
  toShip: number;
  next?: string;
  previous?: string;
}

const sortings: Record<OrderSearch["sort"], Sorting> = {
  newest: { column: "id", descending: true, kind: "uuid" },
  oldest: { column: "id", descending: false, kind: "uuid" },
  total: { column: "total_cents", descending: true, kind: "number" },
  waiting: { column: "paid_at", descending: false, kind: "instant", micros: "paid_micros" },
};

const COLUMNS = "*, (extract(epoch FROM paid_at) * 1000000)::bigint AS paid_micros";

/**
 * Searches purchases that are not cancelled, page by page, with their number by status. Refuses an invalid cursor, and
 * sorting by `waiting` for any status but paid.
 */
export async function searchPurchases(store: Store, search: OrderSearch): Promise<OrderPage | Refusal> {
  if (search.sort === "waiting" && search.status !== "paid")
    return refuseField("sort", refusals.onlyPaidWait);
  const ordersByNumber = await findOrdersByNumber(store, search.q);
  const matching = matches(search.q, ordersByNumber);
  const ofStatus = search.status ? ` AND ${fulfillmentStatusSql[search.status]}` : "";
  const [page, counts, toShip] = await Promise.all([
    readPage<PurchaseRow>(
      store.pool,
      {
        // OFFSET 0 keeps the planner from scanning in sort order: a rare word is found by its own index
        text: search.q
          ? `SELECT * FROM (SELECT ${COLUMNS} FROM shop.purchase WHERE ${matching.text}${ofStatus} OFFSET 0) AS found WHERE true`
          : `SELECT ${COLUMNS} FROM shop.purchase WHERE ${matching.text}${ofStatus}`,
        values: matching.values,
      },
      sortings[search.sort],
      search,
    ),
    countByStatus(store, matching),
    store.pool.query<{ waiting: number }>(`SELECT count(*) AS waiting FROM shop.purchase WHERE ${TO_SHIP}`),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  const together = await findOrdersOf(store, rows);
  return {
    orders: rows.map((row) => ({
      ...toPurchase(row, store.unpaidHoldHours),
      ...together.get(row.order_id),
    })),
    counts,
    toShip: toShip.rows[0]?.waiting ?? 0,
    ...cursors,
  };
}

interface OrderOfLine {
  orderNumber: number;
  lineCount: number;
}

/** Number and lines of the orders of these purchases, where an order has several. */
async function findOrdersOf(store: Store, purchases: PurchaseRow[]): Promise<Map<string, OrderOfLine>> {
  const ids = [...new Set(purchases.map(({ order_id }) => order_id))];
  const { rows } = await store.pool.query<{ id: string; number: number; lines: number }>(
    `SELECT o.id, number, count(*)::integer AS lines
     FROM shop.order o JOIN shop.purchase line ON line.order_id = o.id AND line.cancelled_at IS NULL
     WHERE o.id = ANY ($1) GROUP BY o.id HAVING count(*) > 1`,
    [ids],
  );
  return new Map(rows.map(({ id, number, lines }) => [id, { orderNumber: number, lineCount: lines }]));
}

/** So many orders, the newest, are found by a part of a number. */
const MOST_ORDERS = 1000;

/** For each word, the orders whose number, PO number or tracking number has it. */
function findOrdersByNumber({ pool }: Store, q: string | undefined): Promise<string[][]> {
  return Promise.all(
    likePatterns(q).map(async (pattern) => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM shop.order WHERE number::text || ' ' || po_number ILIKE $1
         UNION SELECT order_id FROM shop.shipment WHERE tracking_number ILIKE $1
         ORDER BY id DESC LIMIT ${MOST_ORDERS}`,
        [pattern],
      );
      return rows.map(({ id }) => id);
    }),
  );
}

/** The orders are an array, found before: a subquery would prevent the use of indexes. */
function matches(q: string | undefined, orders: string[][]): Select {
  const patterns = likePatterns(q);
  const words = "shop.purchase_words(name, email, product_name, item_number, transaction_id, id)";
  const found = patterns.map(
    (_, index) => ` AND (${words} ILIKE $${index * 2 + 1} OR order_id = ANY ($${index * 2 + 2}::uuid[]))`,
  );
  const values = patterns.flatMap((pattern, index) => [pattern, orders[index]]);
  return { text: `cancelled_at IS NULL${found.join("")}`, values };
}

async function countByStatus(store: Store, matching: Select): Promise<OrderPage["counts"]> {
  const { rows } = await store.pool.query<OrderPage["counts"]>(
    `SELECT count(*) AS all, ${STATUS_COUNTS} FROM shop.purchase WHERE ${matching.text}`,
    matching.values,
  );
  return rows[0] as OrderPage["counts"];
}
