import type { Output, Request } from "../../api/contract.ts";
import type { OrderDetails } from "../../api/order-calls.ts";
import { likePattern, likePatterns, readPage } from "../../database/pagination.ts";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { listDocuments } from "../documents/find-documents.ts";
import { fromCents } from "../money.ts";
import { isRefusal, type Refusal, type Result, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { ORDER_TOTALS, type OrderTotals, toOrder, toPurchase, totalsOf } from "./entity.ts";
import { PURCHASE_WORDS, spellItemNumber } from "./filter.ts";
import { findLines, findOrderFor, mineOf } from "./queries.ts";
import { findShipments } from "./shipments.ts";
import { findOrderTimeline } from "./timeline.ts";

type OrderFilter = Request<"listOrders">["query"];
export type OrderPage = Output<"listOrders">;

// Most lines are shipped. The index of lines by status finds the others; the totals of all orders would take seconds.
const HAS_UNPAID =
  "o.id IN (SELECT order_id FROM shop.purchase WHERE cancelled_at IS NULL AND status = 'unpaid')";
const HAS_PAID =
  "o.id IN (SELECT order_id FROM shop.purchase WHERE cancelled_at IS NULL AND status = 'paid')";

const statusSql: Record<NonNullable<OrderFilter["status"]>, string> = {
  unpaid: `unpaid_lines > 0 AND ${HAS_UNPAID}`,
  paid: `unpaid_lines = 0 AND shipped_pieces = 0 AND ${HAS_PAID}`,
  partly_shipped: `unpaid_lines = 0 AND shipped_pieces > 0 AND shipped_pieces < pieces AND ${HAS_PAID}`,
  shipped: "unpaid_lines = 0 AND shipped_pieces = pieces",
};

const PREVIEW_LINES = 4;

const PREVIEW = `
SELECT line.* FROM unnest($1::uuid[]) AS shown (id), LATERAL (
  SELECT * FROM shop.purchase WHERE order_id = shown.id AND cancelled_at IS NULL ORDER BY line_number LIMIT ${PREVIEW_LINES}
) AS line`;

/** The viewer's orders, or all for an admin, newest first, without cancelled ones. */
export async function listOrders(
  store: Store,
  viewer: User,
  { q, status, from, to, mine, ...page }: OrderFilter,
): Promise<OrderPage | Refusal> {
  const buyer = mine || viewer.role !== "admin" ? viewer.id : null;
  const patterns = likePatterns(q);
  const words = patterns.map((_, index) => wordSql(index + 6));
  const itemNumber = await spellItemNumber(store.pool, q);
  const ofStatus = status ? ` AND ${statusSql[status]}` : "";
  const found = await readPage<OrderRow & OrderTotals>(
    store.pool,
    {
      text: `SELECT o.*, totals.* FROM shop.order o, LATERAL (
          SELECT ${ORDER_TOTALS} FROM shop.purchase WHERE order_id = o.id AND cancelled_at IS NULL
        ) AS totals
        WHERE line_count > 0 AND ($1::uuid IS NULL OR user_id = $1)
          AND ($2::text IS NULL OR o.placed_at >= $2::text::timestamp AT TIME ZONE 'UTC')
          AND ($3::text IS NULL OR o.placed_at < ($3::text::date + 1)::timestamp AT TIME ZONE 'UTC')
          AND ((true${words.join("")}) OR o.id IN (
            SELECT order_id FROM shop.purchase WHERE cancelled_at IS NULL AND ${PURCHASE_WORDS} ILIKE $4::text
          ) OR ${HAS_NUMBER})${ofStatus}`,
      values: [
        buyer,
        from ?? null,
        to ?? null,
        itemNumber && likePattern(itemNumber),
        buyer && numberKey(q),
        ...patterns,
      ],
    },
    { column: "id", descending: true, kind: "uuid" },
    page,
  );
  if (!found) return refuseField("cursor", refusals.badCursor);
  const { rows, ...cursors } = found;
  const { rows: lines } = await store.pool.query<PurchaseRow>(PREVIEW, [rows.map(({ id }) => id)]);
  const linesOf = Map.groupBy(lines, (line) => line.order_id);
  return {
    orders: rows.flatMap((row) => {
      const preview = linesOf.get(row.id);
      // no lines: cancelled since the first statement
      return preview ? [toOrder(row, row, preview, store.unpaidHoldHours)] : [];
    }),
    ...cursors,
  };
}

/** Without an index: only of the orders of one buyer. */
const HAS_NUMBER = `($5::text IS NOT NULL AND (
  strpos('ORDER' || o.number || '|PO' || shop.item_key(o.po_number), $5) > 0
  OR EXISTS (SELECT FROM shop.invoice WHERE order_id = o.id AND 'INV' || invoice.number = $5)))`;

/** "Order 10001", "#10001", "INV-10001" and "po4711", as people copy them from documents; null without a digit. */
function numberKey(q = ""): string | null {
  return /\d/.test(q) ? q.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase() : null;
}

function wordSql(parameter: number): string {
  return ` AND (o.number::text || ' ' || o.po_number ILIKE $${parameter} OR o.id IN (
    SELECT order_id FROM shop.purchase WHERE cancelled_at IS NULL
      AND ${PURCHASE_WORDS} ILIKE $${parameter}
    UNION ALL SELECT order_id FROM shop.shipment WHERE tracking_number ILIKE $${parameter}))`;
}

export async function findOrderDetails(store: Store, id: string, viewer: User): Result<"findOrderDetails"> {
  const order = await findOrderFor(store, id, viewer);
  if (isRefusal(order)) return order;
  const [lines, shipments, payments, refunds, documents, timeline] = await Promise.all([
    findLines(store, order.id),
    findShipments(store, order.id),
    findPayments(store, order.id),
    findRefunds(store, order.id),
    listDocuments(store, order),
    findOrderTimeline(store, order.id, viewer.role === "admin"),
  ]);
  const shipTo = lines.find((line) => line.address !== "Deleted") ?? (lines[0] as PurchaseRow);
  return {
    ...toOrder(order, totalsOf(lines), lines, store.unpaidHoldHours),
    ...mineOf(order, viewer),
    address: shipTo.address,
    phone: shipTo.phone,
    lines: lines.map((line) => ({
      ...toPurchase(line, store.unpaidHoldHours),
      ...(line.cancelled_at && { cancelledAt: line.cancelled_at.toISOString() }),
    })),
    shipments,
    payments,
    refunds,
    documents,
    timeline,
  };
}

async function findPayments({ pool }: Store, orderId: string): Promise<OrderDetails["payments"]> {
  const { rows } = await pool.query<{
    id: string;
    cents: number;
    status: OrderDetails["payments"][number]["status"];
    at: Date;
  }>(
    // the share of this order, if the payment covers several
    `SELECT payment.id, sum(share.amount_cents)::bigint AS cents, status, coalesce(settled_at, opened_at) AS at
     FROM shop.payment JOIN shop.payment_purchase share ON share.payment_id = payment.id
     WHERE share.purchase_id IN (SELECT id FROM shop.purchase WHERE order_id = $1)
     GROUP BY payment.id ORDER BY at, payment.id`,
    [orderId],
  );
  return rows.map(({ id, cents, status, at }) => ({
    _id: id,
    amount: fromCents(cents),
    status,
    at: at.toISOString(),
  }));
}

/** The whole payment was late, so its refund covers every purchase of it. */
const IS_WHOLE = "(origin = 'late' AND refund.amount_cents = payment.amount_cents)";

async function findRefunds({ pool }: Store, orderId: string): Promise<OrderDetails["refunds"]> {
  const { rows } = await pool.query<{
    id: string;
    purchase_id: string;
    amount_cents: number;
    reason: string;
    status: OrderDetails["refunds"][number]["state"];
    at: Date;
  }>(
    // of a late payment of several orders, the share of this one
    `SELECT refund.id, refund.purchase_id, refund.amount_cents, reason, refund.status,
       coalesce(done_at, refund.asked_at) AS at
     FROM shop.refund JOIN shop.purchase ON purchase.id = refund.purchase_id
     JOIN shop.payment ON payment.id = refund.payment_id
     WHERE order_id = $1 AND NOT ${IS_WHOLE}
     UNION ALL
     SELECT refund.id, (array_agg(share.purchase_id ORDER BY line_number))[1], sum(share.amount_cents)::bigint, reason,
       refund.status, coalesce(done_at, refund.asked_at)
     FROM shop.purchase JOIN shop.payment_purchase share ON share.purchase_id = purchase.id
     JOIN shop.payment ON payment.id = share.payment_id
     JOIN shop.refund ON refund.payment_id = payment.id
     WHERE order_id = $1 AND ${IS_WHOLE}
     GROUP BY refund.id
     ORDER BY id`,
    [orderId],
  );
  return rows.map(({ id, purchase_id, amount_cents, reason, status, at }) => ({
    _id: id,
    purchaseId: purchase_id,
    amount: fromCents(amount_cents),
    reason,
    state: status,
    at: at.toISOString(),
  }));
}
