import type { Order, OrderHeader, Purchase } from "../../api/entities.ts";
import type { OrderHeaderRow, PurchaseRow } from "../../database/schema.ts";
import { fromCents } from "../money.ts";
import { fulfillmentStatusSql } from "./fulfillment-status.ts";
import { shipProblem } from "./rules.ts";

const HOUR_MS = 3_600_000;

export const keptUntil = (placedAt: Date, holdHours: number) =>
  new Date(placedAt.getTime() + holdHours * HOUR_MS);

/** `holdHours` is 0 if unpaid purchases keep their stock forever. */
export function toPurchase(row: PurchaseRow, holdHours: number): Purchase {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    address: row.address,
    phone: row.phone,
    purchaseQuantity: row.quantity,
    productName: row.product_name,
    picture: row.picture,
    price: fromCents(row.price_cents),
    ...(row.list_price_cents !== null &&
      row.list_price_cents > row.price_cents && { listPrice: fromCents(row.list_price_cents) }),
    total: fromCents(row.total_cents),
    status: row.status,
    productId: row.product_id,
    placedAt: row.placed_at.toISOString(),
    orderId: row.order_id,
    ...(row.shipped_pieces > 0 && { shippedPieces: row.shipped_pieces }),
    ...(row.status === "unpaid" &&
      !row.cancelled_at &&
      holdHours > 0 && { keptUntil: keptUntil(row.placed_at, holdHours).toISOString() }),
    ...(row.item_number && { itemNumber: row.item_number }),
    ...(row.transaction_id && { transactionId: row.transaction_id }),
    ...(row.paid_at && { paidAt: row.paid_at.toISOString() }),
    ...(row.refunded_cents > 0 && { refunded: fromCents(row.refunded_cents) }),
    ...(row.returned_at && { returned: true as const }),
    ...(row.restock_at && !row.returned_at && { restocking: true as const }),
    ...(row.paid_mode && row.paid_mode !== "live" && { testPayment: true as const }),
    ...(row.disputed_at && { disputed: true as const }),
    ...(row.shipped_at && { shippedAt: row.shipped_at.toISOString() }),
  };
}

export interface OrderTotals {
  line_count: number;
  pieces: number;
  shipped_pieces: number;
  unpaid_lines: number;
  shipped_lines: number;
  /** will not be shipped */
  refunded_lines: number;
  total_cents: number;
  due_cents: number;
}

/** Columns of OrderTotals over rows of shop.purchase that are not cancelled. */
export const ORDER_TOTALS = `count(*)::integer AS line_count, coalesce(sum(quantity), 0)::integer AS pieces,
  coalesce(sum(shipped_pieces), 0)::integer AS shipped_pieces,
  (count(*) FILTER (WHERE status = 'unpaid'))::integer AS unpaid_lines,
  (count(*) FILTER (WHERE status = 'shipped'))::integer AS shipped_lines,
  (count(*) FILTER (WHERE ${fulfillmentStatusSql.refunded}))::integer AS refunded_lines,
  coalesce(sum(total_cents), 0)::bigint AS total_cents,
  coalesce(sum(total_cents) FILTER (WHERE status = 'unpaid'), 0)::bigint AS due_cents`;

export function totalsOf(lines: PurchaseRow[]): OrderTotals {
  const active = lines.filter((line) => !line.cancelled_at);
  const unpaid = active.filter(({ status }) => status === "unpaid");
  return {
    line_count: active.length,
    pieces: sum(active, (line) => line.quantity),
    shipped_pieces: sum(active, (line) => line.shipped_pieces),
    unpaid_lines: unpaid.length,
    shipped_lines: active.filter(({ status }) => status === "shipped").length,
    refunded_lines: active.filter((line) => line.status === "paid" && shipProblem(line)).length,
    total_cents: sum(active, (line) => line.total_cents),
    due_cents: sum(unpaid, (line) => line.total_cents),
  };
}

/** Undefined, and so absent in JSON, where nothing was written. */
export function toOrderHeader({ number, po_number, contact, note }: OrderHeaderRow): OrderHeader {
  return {
    number,
    poNumber: po_number || undefined,
    contact: contact || undefined,
    note: note || undefined,
  } satisfies Record<keyof OrderHeader, unknown>;
}

export function toOrder(
  order: OrderHeaderRow,
  totals: OrderTotals,
  lines: PurchaseRow[],
  holdHours: number,
): Order {
  const first = lines[0] as PurchaseRow;
  const purchases = lines.map((line) => toPurchase(line, holdHours));
  const fulfillment = orderFulfillment(totals);
  const keptUntil = purchases.find((purchase) => purchase.keptUntil)?.keptUntil;
  return {
    _id: first.order_id,
    ...toOrderHeader(order),
    status: orderStatus(totals),
    ...(fulfillment && { fulfillment }),
    name: first.name,
    email: first.email,
    total: fromCents(totals.total_cents),
    ...(totals.unpaid_lines > 0 && { due: fromCents(totals.due_cents) }),
    placedAt: first.placed_at.toISOString(),
    ...(keptUntil && { keptUntil }),
    lineCount: totals.line_count,
    pieces: totals.pieces,
    shippedPieces: totals.shipped_pieces,
    lines: purchases,
  };
}

export function orderStatus({
  line_count,
  unpaid_lines,
  pieces,
  shipped_pieces,
}: OrderTotals): Order["status"] {
  if (line_count === 0) return "cancelled";
  if (unpaid_lines > 0) return "unpaid";
  if (shipped_pieces === pieces) return "shipped";
  return shipped_pieces > 0 ? "partly_shipped" : "paid";
}

/** If nothing is left to ship, since lines were refunded instead. */
export function orderFulfillment({
  line_count,
  shipped_lines,
  refunded_lines,
}: OrderTotals): Order["fulfillment"] {
  if (refunded_lines === 0 || shipped_lines + refunded_lines < line_count) return undefined;
  return shipped_lines > 0 ? "shipped" : "refunded";
}

function sum<Item>(items: Item[], amount: (item: Item) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
