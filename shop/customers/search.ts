import type { Readable } from "node:stream";
import type { Output, Request } from "../../api/contract.ts";
import type { Customer } from "../../api/customer-calls.ts";
import {
  likePatterns,
  MAX_COUNTED,
  readPage,
  readPages,
  type Select,
  type Sorting,
} from "../../database/pagination.ts";
import type { UserRow } from "../../database/schema.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { fromCents } from "../money.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";

type CustomerSearch = Request<"searchCustomers">["query"];
type CustomerFilter = Omit<CustomerSearch, "limit" | "cursor">;
type CustomerPage = Output<"searchCustomers">;

export interface CustomerRow extends Pick<UserRow, "id" | "name" | "email" | "created_at" | "disabled_at"> {
  name_key: string;
  orders: number;
  revenue_cents: number;
  last_order_id: string;
  last_order_at: Date | null;
}

const sortings = {
  // ids are ordered by time
  recent: { column: "last_order_id", descending: true, kind: "uuid" },
  name: { column: "name_key", descending: false, kind: "text" },
  orders: { column: "orders", descending: true, kind: "number" },
  revenue: { column: "revenue_cents", descending: true, kind: "number" },
} satisfies Record<string, Sorting>;

const NO_ORDER = "'00000000-0000-0000-0000-000000000000'";

const FILTERS = {
  quiet: `last_order_id > ${NO_ORDER} AND last_order_id < (SELECT uuidv7(interval '-90 days'))`,
  closed: "disabled_at IS NOT NULL",
};

const filterCondition = ({ filter }: CustomerFilter) => (filter ? FILTERS[filter] : "true");

export async function searchCustomers(store: Store, search: CustomerSearch): Promise<CustomerPage | Refusal> {
  const matching = matchCustomers(search, await findBuyersByOrder(store, search.q));
  const [page, counted] = await Promise.all([
    readPage<CustomerRow>(
      store.pool,
      {
        text: `SELECT * FROM (${matching.text}) AS customer WHERE ${filterCondition(search)}`,
        values: matching.values,
      },
      sortings[search.sort],
      search,
    ),
    store.pool.query<CustomerPage["counts"]>(
      search.q ? countMatches(matching.text) : COUNT_ALL,
      matching.values,
    ),
  ]);
  if (!page) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = page;
  return {
    customers: rows.map(toCustomer),
    counts: counted.rows[0] as CustomerPage["counts"],
    ...(search.q && { countLimit: MAX_COUNTED }),
    ...cursors,
  };
}

// Each count reads one index. Few accounts are deleted, and few admins have orders.
const COUNT_ALL = `
SELECT (SELECT count(*) FROM shop.user WHERE deleted_at IS NULL AND role = 'user')
    + (SELECT count(*) FROM shop.user JOIN shop.customer ON user_id = id
        WHERE deleted_at IS NULL AND role = 'admin' AND orders > 0) AS all,
  (SELECT count(*) FROM shop.customer WHERE ${FILTERS.quiet})
    - (SELECT count(*) FROM shop.user JOIN shop.customer ON user_id = id
        WHERE deleted_at IS NOT NULL AND ${FILTERS.quiet}) AS quiet,
  (SELECT count(*) FROM shop.user JOIN shop.customer ON user_id = id
    WHERE ${FILTERS.closed} AND deleted_at IS NULL AND (role = 'user' OR orders > 0)) AS closed`;

function countMatches(matching: string): string {
  return `
SELECT (SELECT count(*) FROM (SELECT FROM (${matching}) AS customer LIMIT ${MAX_COUNTED}) AS counted) AS all,
  (SELECT count(*) FROM (SELECT FROM (${matching}) AS customer WHERE ${FILTERS.quiet} LIMIT ${MAX_COUNTED}) AS counted)
    AS quiet,
  (SELECT count(*) FROM (SELECT FROM (${matching}) AS customer WHERE ${FILTERS.closed} LIMIT ${MAX_COUNTED}) AS counted)
    AS closed`;
}

/** Without deleted accounts, and without admins that have no orders. `buyers` are from `findBuyersByOrder`. */
function matchCustomers({ q, sort }: CustomerFilter, buyers: string[][]): Select {
  const patterns = likePatterns(q);
  const conditions = patterns.map(
    (_, index) =>
      ` AND ((u.name || ' ' || u.email) ILIKE $${index * 2 + 1} OR u.id = ANY ($${index * 2 + 2}::uuid[]))`,
  );
  return {
    // by the key of the sorting's own index
    text: `SELECT ${sort === "name" ? "u.id" : "figures.user_id AS id"}, u.name, lower(u.name) AS name_key, u.email, u.created_at, u.disabled_at, figures.orders,
        figures.revenue_cents, figures.last_order_id, latest.placed_at AS last_order_at
      FROM shop.user u JOIN shop.customer figures ON figures.user_id = u.id
        LEFT JOIN shop.order latest ON latest.id = figures.last_order_id
      WHERE u.deleted_at IS NULL AND (u.role = 'user' OR figures.orders > 0)${conditions.join("")}`,
    values: patterns.flatMap((pattern, index) => [pattern, buyers[index]]),
  };
}

/** Only this many, the newest, are found by part of a number. */
const MAX_ORDERS = 1000;

function findBuyersByOrder({ pool }: Store, q: string | undefined): Promise<string[][]> {
  return Promise.all(
    likePatterns(q).map(async (pattern) => {
      const { rows } = await pool.query<{ user_id: string }>(
        `SELECT user_id FROM shop.order WHERE number::text || ' ' || po_number ILIKE $1
         ORDER BY id DESC LIMIT ${MAX_ORDERS}`,
        [pattern],
      );
      return rows.map(({ user_id }) => user_id);
    }),
  );
}

export function toCustomer(row: CustomerRow): Customer {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    orders: row.orders,
    revenue: fromCents(row.revenue_cents),
    ...(row.last_order_at && { lastOrderAt: row.last_order_at.toISOString() }),
    ...(row.disabled_at && { closed: true as const }),
  };
}

const COLUMNS: CsvColumns<CustomerRow> = {
  name: (customer) => customer.name,
  email: (customer) => customer.email,
  orders: (customer) => customer.orders,
  revenue: (customer) => fromCents(customer.revenue_cents).toFixed(2),
  last_order_at: (customer) => customer.last_order_at,
  customer_since: (customer) => customer.created_at,
  closed_at: (customer) => customer.disabled_at,
};

export function exportCustomers(store: Store, search: CustomerFilter & { bom: boolean }): Readable {
  return streamCsv(COLUMNS, readCustomers(store, search), { bom: search.bom });
}

async function* readCustomers(store: Store, search: CustomerFilter): AsyncGenerator<CustomerRow[]> {
  const matching = matchCustomers(search, await findBuyersByOrder(store, search.q));
  yield* readPages<CustomerRow>(
    store.pool,
    {
      text: `SELECT * FROM (${matching.text}) AS customer WHERE ${filterCondition(search)}`,
      values: matching.values,
    },
    sortings[search.sort],
  );
}
