import type { Output, Request } from "../../api/contract.ts";
import type { Purchase } from "../../api/entities.ts";
import { MAX_COUNTED, readPage, type Select, type Sorting } from "../../database/pagination.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import { findMatchingIds, isFiltered, isSelective, matchPurchases, type PurchaseFilter } from "./filter.ts";
import { andStatus, countsByStatus, type FulfillmentStatus, TO_SHIP } from "./fulfillment-status.ts";

export type PurchaseSearch = Omit<Request<"searchPurchases">["query"], "zone"> & Pick<PurchaseFilter, "zone">;
type PurchasePage = Output<"searchPurchases">;

const sortings: Record<PurchaseSearch["sort"], Sorting> = {
  newest: { column: "id", descending: true, kind: "uuid" },
  oldest: { column: "id", descending: false, kind: "uuid" },
  total: { column: "total_cents", descending: true, kind: "number" },
  waiting: { column: "paid_at", descending: false, kind: "instant", micros: "paid_micros" },
};

export function sortingOf({ sort, from, to, age }: Omit<PurchaseSearch, "limit">): Sorting {
  const hasDates = from !== undefined || to !== undefined || age !== undefined;
  const { descending } = sortings[sort];
  return hasDates && sortings[sort].column === "id"
    ? { column: "placed_at", descending, kind: "instant", micros: "placed_micros" }
    : sortings[sort];
}

/** PurchaseRow, and the keys of the sortings by time. */
export const PURCHASE_COLUMNS =
  "*, (extract(epoch FROM paid_at) * 1000000)::bigint AS paid_micros, (extract(epoch FROM placed_at) * 1000000)::bigint AS placed_micros";

/** Excludes cancelled purchases. Refuses an invalid cursor, and sorting by `waiting` for any status but paid. */
export async function searchPurchases(store: Store, search: PurchaseSearch): Promise<PurchasePage | Refusal> {
  if (search.sort === "waiting" && search.status !== "paid")
    return refuseField("sort", refusals.onlyPaidWait);
  const found = await findMatchingIds(store, search);
  const matching = matchPurchases(search, found);
  const ofStatus = andStatus(search.status);
  const countLimit = isFiltered(search) ? MAX_COUNTED : undefined;
  const [counts, toShip] = await Promise.all([
    countByStatus(store, matching, countLimit),
    store.pool.query<{ waiting: number }>(`SELECT count(*) AS waiting FROM shop.purchase WHERE ${TO_SHIP}`),
  ]);
  const page = await readPage<PurchaseRow>(
    store.pool,
    {
      // OFFSET 0 keeps the planner from scanning in sort order: rare words are found by their own index
      text:
        isSelective(search) && counts[search.status ?? "all"] < MAX_COUNTED
          ? `SELECT * FROM (SELECT ${PURCHASE_COLUMNS} FROM shop.purchase WHERE ${matching.text}${ofStatus} OFFSET 0) AS found WHERE true`
          : `SELECT ${PURCHASE_COLUMNS} FROM shop.purchase WHERE ${matchPurchases(search, found, true).text}${ofStatus}`,
      values: matching.values,
    },
    sortingOf(search),
    search,
  );
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  const orders = await findOrdersOf(store, rows);
  return {
    orders: rows.map((row) => ({
      ...toPurchase(row, store.unpaidHoldHours),
      ...(orders.get(row.order_id) as OrderOfLine),
      customerId: row.user_id,
    })),
    counts,
    ...(countLimit && { countLimit }),
    toShip: toShip.rows[0]?.waiting ?? 0,
    ...cursors,
  };
}

export async function countPurchases(
  store: Store,
  search: PurchaseFilter & Pick<PurchaseSearch, "status">,
): Promise<number> {
  const matching = matchPurchases(search, await findMatchingIds(store, search));
  const ofStatus = andStatus(search.status);
  const { rows } = await store.pool.query<{ matches: number }>(
    `SELECT count(*) AS matches FROM (
       SELECT id FROM shop.purchase WHERE ${matching.text}${ofStatus} LIMIT ${MAX_COUNTED}) AS found`,
    matching.values,
  );
  return rows[0]?.matches ?? 0;
}

type OrderOfLine = Omit<PurchasePage["orders"][number], keyof Purchase | "customerId">;

async function findOrdersOf(store: Store, purchases: PurchaseRow[]): Promise<Map<string, OrderOfLine>> {
  const ids = [...new Set(purchases.map(({ order_id }) => order_id))];
  const { rows } = await store.pool.query<{ id: string; number: number; po_number: string; lines: number }>(
    `SELECT o.id, number, po_number, count(*) FILTER (WHERE line.cancelled_at IS NULL)::integer AS lines
     FROM shop.order o JOIN shop.purchase line ON line.order_id = o.id
     WHERE o.id = ANY ($1) GROUP BY o.id`,
    [ids],
  );
  return new Map(
    rows.map(({ id, number, po_number, lines }) => [
      id,
      { orderNumber: number, poNumber: po_number || undefined, lineCount: lines } satisfies Record<
        keyof OrderOfLine,
        unknown
      >,
    ]),
  );
}

async function countByStatus(
  { pool }: Store,
  matching: Select,
  limit: number | undefined,
): Promise<PurchasePage["counts"]> {
  const { rows } = await pool.query<Record<FulfillmentStatus, number>>(
    countsByStatus(matching.text, limit),
    matching.values,
  );
  const counts = rows[0] as (typeof rows)[number];
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { all: Math.min(all, limit ?? all), ...counts };
}
