import type { Purchase } from "../../api/entities.ts";
import type { PurchaseStatus } from "../../database/schema.ts";
import { patternsOf, readPage, type Select, type Sorting } from "../keyset.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Store } from "../store.ts";
import { toPurchase } from "./entity.ts";
import type { PurchaseRow } from "./queries.ts";

export interface OrderSearch {
  status?: PurchaseStatus | undefined;
  /** words of the buyer's name, e-mail, product, item number, transaction id or order id; all must be found */
  q?: string | undefined;
  sort: "newest" | "oldest" | "total";
  limit: number;
  cursor?: string | undefined;
}

export interface OrderPage {
  orders: Purchase[];
  /** of what was searched for, whatever the status */
  counts: { all: number } & Record<PurchaseStatus, number>;
  /** how many wait to be shipped in the whole store */
  toShip: number;
  next?: string;
  previous?: string;
}

const sortings: Record<OrderSearch["sort"], Sorting> = {
  newest: { column: "id", descending: true, kind: "uuid" },
  oldest: { column: "id", descending: false, kind: "uuid" },
  total: { column: "total_cents", descending: true, kind: "number" },
};

/** Paid, not shipped, and still to be: whoever got the money or the goods back gets no parcel. */
export const WAITING = "status = 'paid' AND refunded_cents < total_cents AND returned_at IS NULL";

/** Purchases that were not cancelled, for admins: searched, of one status, sorted, page by page; and how many there are. */
export async function searchOrders(store: Store, search: OrderSearch): Promise<OrderPage | Refusal> {
  const matching = matches(search.q);
  const ofStatus = search.status ? ` AND status = $${matching.values.length + 1}` : "";
  const [page, counts, toShip] = await Promise.all([
    readPage<PurchaseRow>(
      store.pool,
      {
        // OFFSET 0 keeps the order from choosing the way: a rare word is found by its own index, not by going
        // through all purchases from the newest on
        text: search.q
          ? `SELECT * FROM (SELECT * FROM shop.purchase WHERE ${matching.text}${ofStatus} OFFSET 0) AS found WHERE true`
          : `SELECT * FROM shop.purchase WHERE ${matching.text}${ofStatus}`,
        values: [...matching.values, ...(search.status ? [search.status] : [])],
      },
      sortings[search.sort],
      search,
    ),
    countByStatus(store, matching),
    store.pool.query<{ waiting: number }>(`SELECT count(*) AS waiting FROM shop.purchase WHERE ${WAITING}`),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...beside } = page;
  return { orders: rows.map(toPurchase), counts, toShip: toShip.rows[0]?.waiting ?? 0, ...beside };
}

function matches(q: string | undefined): Select {
  const patterns = patternsOf(q);
  const words = "shop.purchase_words(name, email, product_name, item_number, transaction_id, id)";
  const found = patterns.map((_, index) => ` AND ${words} ILIKE $${index + 1}`);
  return { text: `cancelled_at IS NULL${found.join("")}`, values: patterns };
}

async function countByStatus(store: Store, matching: Select): Promise<OrderPage["counts"]> {
  const { rows } = await store.pool.query<{ status: PurchaseStatus; amount: number }>(
    `SELECT status, count(*) AS amount FROM shop.purchase WHERE ${matching.text} GROUP BY status`,
    matching.values,
  );
  const counts = { all: 0, unpaid: 0, paid: 0, shipped: 0 };
  for (const { status, amount } of rows) {
    counts[status] = amount;
    counts.all += amount;
  }
  return counts;
}
