import type { Output } from "../../api/contract.ts";
import { EMAIL_VERIFIED, type UserRow } from "../accounts/queries.ts";
import { listAddresses } from "../address-book/addresses.ts";
import { fromCents } from "../money.ts";
import { listOrders } from "../orders/find-orders.ts";
import { TO_SHIP } from "../orders/fulfillment-status.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { refuseBadZone } from "../refuse-bad-zone.ts";
import { type ReviewRow, toReview } from "../reviews/search.ts";
import type { Store, User } from "../store.ts";
import { customerRefusals } from "../texts/customer-refusals.ts";
import { listNotes } from "./notes.ts";
import { type CustomerRow, toCustomer } from "./search.ts";

type CustomerDetails = Output<"findCustomer">;

const LATEST_ORDERS = 8;

type Row = CustomerRow & Pick<UserRow, "role" | "email_verified" | "phone" | "location" | "deleted_at">;

const FIND_CUSTOMER = `
SELECT id, name, lower(name) AS name_key, email, role, phone, location, created_at, disabled_at, deleted_at,
  ${EMAIL_VERIFIED} AS email_verified, orders, revenue_cents, last_order_id,
  (SELECT placed_at FROM shop.order WHERE id = last_order_id) AS last_order_at
FROM shop.user JOIN shop.customer ON customer.user_id = shop.user.id
WHERE id = $1`;

export async function findCustomer(
  store: Store,
  viewer: User,
  id: string,
  zone: string,
): Promise<CustomerDetails | Refusal> {
  const { rows } = await store.pool.query<Row>(FIND_CUSTOMER, [id]);
  const row = rows[0];
  if (!row) return refuse("missing", customerRefusals.customerNotFound);
  // reachable by links from the orders of a deleted account
  if (row.deleted_at) return refuse("missing", customerRefusals.customerDeleted);
  const months = await readMonthlyRevenue(store, id, zone).catch(refuseBadZone);
  if (isRefusal(months)) return months;
  const customer: User = { id, email: row.email, name: row.name, role: "user" };
  const [figures, latest, { addresses }, reviews, notes] = await Promise.all([
    readFigures(store, id),
    listOrders(store, customer, { mine: true, limit: LATEST_ORDERS }),
    listAddresses(store, customer),
    listReviews(store, id),
    listNotes(store, viewer, { customerId: id }),
  ]);
  if (isRefusal(latest)) return latest;
  return {
    ...toCustomer(row),
    role: row.role,
    emailVerified: row.email_verified,
    ...(row.phone && { phone: row.phone }),
    ...(row.location && { location: row.location }),
    since: row.created_at.toISOString(),
    ...figures,
    months,
    latestOrders: latest.orders,
    addresses,
    reviews,
    notes,
  };
}

async function readFigures(
  { pool }: Store,
  id: string,
): Promise<Pick<CustomerDetails, "unpaid" | "ordersToShip" | "refunded">> {
  const { rows } = await pool.query<{
    unpaid_orders: number;
    due_cents: number;
    orders_to_ship: number;
    refunded_cents: number;
  }>(
    `SELECT count(DISTINCT order_id) FILTER (WHERE status = 'unpaid') AS unpaid_orders,
       coalesce(sum(total_cents) FILTER (WHERE status = 'unpaid'), 0)::bigint AS due_cents,
       count(DISTINCT order_id) FILTER (WHERE ${TO_SHIP}) AS orders_to_ship,
       coalesce(sum(refunded_cents), 0)::bigint AS refunded_cents
     FROM shop.purchase WHERE user_id = $1 AND cancelled_at IS NULL`,
    [id],
  );
  const figures = rows[0] as (typeof rows)[number];
  return {
    unpaid: { orders: figures.unpaid_orders, due: fromCents(figures.due_cents) },
    ordersToShip: figures.orders_to_ship,
    refunded: fromCents(figures.refunded_cents),
  };
}

const MONTHLY_REVENUE = `
WITH month AS (
  SELECT generate_series(this_month - interval '11 months', this_month, interval '1 month') AS start
  FROM date_trunc('month', now() AT TIME ZONE $2) AS this_month
), paid AS (
  SELECT date_trunc('month', paid_at AT TIME ZONE $2) AS start, sum(total_cents - refunded_cents)::bigint AS cents,
    count(DISTINCT order_id) AS orders
  FROM shop.purchase
  WHERE user_id = $1 AND cancelled_at IS NULL AND paid_at >= (SELECT min(start) FROM month) AT TIME ZONE $2
  GROUP BY 1
)
SELECT to_char(month.start, 'YYYY-MM-DD') AS start, coalesce(cents, 0) AS cents, coalesce(orders, 0) AS orders
FROM month LEFT JOIN paid USING (start) ORDER BY start`;

async function readMonthlyRevenue(
  { pool }: Store,
  id: string,
  zone: string,
): Promise<CustomerDetails["months"]> {
  const { rows } = await pool.query<{ start: string; cents: number; orders: number }>(MONTHLY_REVENUE, [
    id,
    zone,
  ]);
  return rows.map(({ start, cents, orders }) => ({ start, revenue: fromCents(cents), orders }));
}

async function listReviews({ pool }: Store, id: string): Promise<CustomerDetails["reviews"]> {
  const { rows } = await pool.query<ReviewRow>(
    `SELECT id, name, rating, description, written_at, hidden_at FROM shop.review WHERE user_id = $1
     ORDER BY id DESC LIMIT 20`,
    [id],
  );
  return rows.map(toReview);
}
