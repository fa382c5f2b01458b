/** Revenue is what was paid less refunds, pending or not, by the time of the payment in the admin's time zone. */
import type { Output, Request } from "../../api/contract.ts";
import { FAILED_EMAILS } from "../emails/failed-emails.ts";
import { fromCents } from "../money.ts";
import { countsByStatus, type FulfillmentStatus, TO_SHIP } from "../orders/fulfillment-status.ts";
import type { Result } from "../refusal.ts";
import { refuseBadZone } from "../refuse-bad-zone.ts";
import type { Store } from "../store.ts";

type Overview = Output<"overview">;
type Period = Overview["period"];

/** The number of slots of a period, and the offset of its comparison: the same weekday, a year ago. */
const slots: Record<Period, { unit: string; amount: number; yearBefore: string }> = {
  days: { unit: "day", amount: 30, yearBefore: "364 days" },
  weeks: { unit: "week", amount: 12, yearBefore: "364 days" },
  months: { unit: "month", amount: 12, yearBefore: "1 year" },
};

const MIN_SLOTS = 7;

const revenueSql = (unit: string, yearBefore: string) => `
WITH slot AS (
  SELECT generate_series(
    greatest(this - ($2::int - 1) * interval '1 ${unit}', least(first, this - ${MIN_SLOTS - 1} * interval '1 ${unit}')),
    this, interval '1 ${unit}') AS start
  FROM date_trunc('${unit}', now() AT TIME ZONE $1) AS this,
    date_trunc('${unit}', (SELECT min(paid_at) FROM shop.purchase) AT TIME ZONE $1) AS first
), line AS (
  SELECT paid_at, total_cents, refunded_cents, order_id FROM shop.purchase
  WHERE paid_at >= (SELECT min(start) FROM slot) AT TIME ZONE $1
  UNION ALL
  SELECT paid_at, total_cents, refunded_cents, order_id FROM shop.purchase
  WHERE paid_at >= (SELECT min(start) - interval '${yearBefore}' FROM slot) AT TIME ZONE $1
    AND paid_at < (SELECT least(min(start), max(start) + interval '1 ${unit}' - interval '${yearBefore}') FROM slot) AT TIME ZONE $1
), paid AS (
  SELECT date_trunc('${unit}', paid_at AT TIME ZONE $1) AS start, sum(total_cents - refunded_cents) AS cents,
    count(DISTINCT order_id) AS orders
  FROM line GROUP BY 1
)
SELECT to_char(slot.start, 'YYYY-MM-DD') AS start, coalesce(now.cents, 0) AS cents, coalesce(now.orders, 0) AS orders,
  before.cents AS before_cents
FROM slot
LEFT JOIN paid AS now ON now.start = slot.start
LEFT JOIN paid AS before ON before.start = slot.start - interval '${yearBefore}'
ORDER BY slot.start`;

interface RevenueRow {
  start: string;
  cents: number;
  orders: number;
  before_cents: number | null;
}

const FIGURES = `
WITH week AS (SELECT date_trunc('week', now() AT TIME ZONE $1) AS monday)
SELECT to_char((SELECT monday FROM week), 'YYYY-MM-DD') AS monday,
  (SELECT coalesce(sum(total_cents - refunded_cents), 0) FROM shop.purchase
    WHERE paid_at >= (SELECT monday FROM week) AT TIME ZONE $1) AS week_cents,
  (SELECT coalesce(sum(total_cents - refunded_cents), 0) FROM shop.purchase
    WHERE paid_at >= (SELECT monday - interval '7 days' FROM week) AT TIME ZONE $1
      AND paid_at < (now() AT TIME ZONE $1 - interval '7 days') AT TIME ZONE $1) AS last_week_cents,
  (SELECT count(DISTINCT order_id) FROM shop.purchase WHERE ${TO_SHIP}) AS to_ship,
  (SELECT count(DISTINCT order_id) FROM shop.purchase WHERE ${TO_SHIP} AND paid_at <= now() - interval '72 hours')
    AS late,
  unpaid.cents AS unpaid_cents, unpaid.orders AS unpaid_orders,
  (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM shipped_at - paid_at) / 3600)
    FROM shop.purchase WHERE shipped_at > now() - interval '90 days') AS median_hours,
  (SELECT count(*) FROM shop.product WHERE archived_at IS NULL AND is_low) AS low_stock,
  (SELECT count(*) FROM (${FAILED_EMAILS}) AS email) AS failed_emails,
  coalesce((SELECT jsonb_array_length(report->'faults') FROM shop.books_report), 0) AS discrepancies
FROM (SELECT coalesce(sum(total_cents), 0) AS cents, count(DISTINCT order_id) AS orders
  FROM shop.purchase WHERE status = 'unpaid' AND cancelled_at IS NULL) AS unpaid`;

interface FigureRow {
  monday: string;
  week_cents: number;
  last_week_cents: number;
  to_ship: number;
  late: number;
  unpaid_cents: number;
  unpaid_orders: number;
  median_hours: number | null;
  low_stock: number;
  failed_emails: number;
  discrepancies: number;
}

const STATUSES = countsByStatus("cancelled_at IS NULL");

// among the thousand oldest lines to ship, from an index in this order
const OLDEST_TO_SHIP = `
SELECT line.id AS _id, line.name, line.product_name AS "productName", line.quantity AS "purchaseQuantity",
  line.shipped_pieces AS "shippedPieces", oldest.paid_at AS "paidAt", o.number AS "orderNumber",
  (SELECT count(*) FROM shop.purchase WHERE order_id = o.id AND ${TO_SHIP}) AS "lineCount"
FROM (
    SELECT order_id, min(paid_at) AS paid_at
    FROM (SELECT order_id, paid_at FROM shop.purchase WHERE ${TO_SHIP} ORDER BY paid_at, id LIMIT 1000) AS waiting
    GROUP BY order_id ORDER BY min(paid_at), order_id LIMIT 5
  ) AS oldest
  JOIN shop.order o ON o.id = oldest.order_id,
  LATERAL (
    SELECT * FROM shop.purchase WHERE order_id = o.id AND ${TO_SHIP} ORDER BY line_number LIMIT 1
  ) AS line
ORDER BY oldest.paid_at, o.id`;

// the lines of an order share its payment, and so its dispute
const OLDEST_DISPUTES = `
SELECT line.id AS _id, line.name, line.product_name AS "productName", line.quantity AS "purchaseQuantity",
  o.number AS "orderNumber", disputed.lines AS "lineCount"
FROM (
    SELECT order_id, min(disputed_at) AS since, count(*) AS lines
    FROM shop.purchase WHERE disputed_at IS NOT NULL GROUP BY order_id ORDER BY since, order_id LIMIT 5
  ) AS disputed
  JOIN shop.order o ON o.id = disputed.order_id,
  LATERAL (
    SELECT * FROM shop.purchase WHERE order_id = o.id AND disputed_at IS NOT NULL ORDER BY line_number LIMIT 1
  ) AS line
ORDER BY disputed.since, o.id`;

// a refund is an amount: it counts as the whole pieces that it pays for
const SOLD = `
SELECT product_id AS "productId", product.name, product.picture, sold.pieces
FROM (
  SELECT product_id, sum(quantity - refunded_cents * quantity / total_cents) AS pieces
  FROM shop.purchase WHERE paid_at > now() - interval '30 days'
  GROUP BY product_id HAVING sum(total_cents - refunded_cents) > 0 ORDER BY pieces DESC, product_id LIMIT 20
) AS sold JOIN shop.product AS product ON product.id = sold.product_id
ORDER BY sold.pieces DESC, product.name`;

const LOWEST_STOCK = `
SELECT id AS _id, name, picture, quantity, minimum_order FROM shop.product
WHERE archived_at IS NULL AND is_low ORDER BY quantity::numeric / minimum_order, id LIMIT 3`;

/** While the first payment is younger than this, revenue is shown by day, later by week. */
const DAILY_UNTIL = "35 days";

/** By `period`, or the one that fits the store's age; refuses an unknown time zone. */
export async function readDashboard(store: Store, options: Request<"overview">["query"]): Result<"overview"> {
  const { period = await defaultPeriod(store), zone } = options;
  return readFigures(store, period, zone).catch(refuseBadZone);
}

async function defaultPeriod({ pool }: Store): Promise<Period> {
  const { rows } = await pool.query<{ old: boolean | null }>(
    `SELECT min(paid_at) < now() - interval '${DAILY_UNTIL}' AS old FROM shop.purchase`,
  );
  return rows[0]?.old ? "weeks" : "days";
}

async function readFigures({ pool }: Store, period: Period, zone: string): Promise<Overview> {
  const { unit, amount, yearBefore } = slots[period];
  const [figures, revenue, statuses, disputed, waiting, sold, stock] = await Promise.all([
    pool.query<FigureRow>(FIGURES, [zone]),
    pool.query<RevenueRow>(revenueSql(unit, yearBefore), [zone, amount]),
    pool.query<Record<FulfillmentStatus, number>>(STATUSES),
    pool.query<Overview["alerts"]["disputed"][number]>(OLDEST_DISPUTES),
    pool.query<Omit<Overview["waiting"][number], "paidAt"> & { paidAt: Date }>(OLDEST_TO_SHIP),
    pool.query<Overview["sold"][number]>(SOLD),
    pool.query<Overview["lowStock"]["least"][number]>(LOWEST_STOCK),
  ]);
  const current = figures.rows[0] as FigureRow;
  return {
    at: new Date().toISOString(),
    alerts: { mails: current.failed_emails, faults: current.discrepancies, disputed: disputed.rows },
    period,
    monday: current.monday,
    paidThisWeek: fromCents(current.week_cents),
    paidLastWeekByNow: fromCents(current.last_week_cents),
    toShip: current.to_ship,
    late: current.late,
    unpaidOrders: current.unpaid_orders,
    outstanding: fromCents(current.unpaid_cents),
    ...(current.median_hours !== null && { medianHoursToShip: Math.round(current.median_hours) }),
    statuses: statuses.rows[0] as Record<FulfillmentStatus, number>,
    revenue: revenue.rows.map((row) => ({
      start: row.start,
      revenue: fromCents(row.cents),
      orders: row.orders,
      ...(row.before_cents !== null && { yearBefore: fromCents(row.before_cents) }),
    })),
    waiting: waiting.rows.map((row) => ({ ...row, paidAt: row.paidAt.toISOString() })),
    sold: sold.rows,
    lowStock: { all: current.low_stock, least: stock.rows },
  };
}
