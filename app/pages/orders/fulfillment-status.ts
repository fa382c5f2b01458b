import type { Order, Purchase } from "../../../api/entities.ts";

/** The displayed status: that of the purchase, or that it was fully refunded and will not be shipped. */
export type FulfillmentStatus = Purchase["status"] | "refunded";

/** The same rule as `fulfillmentStatusSql` in shop/orders/fulfillment-status.ts. */
export function fulfillmentStatusOf(
  order: Pick<Purchase, "status" | "refunded" | "total" | "returned" | "restocking">,
): FulfillmentStatus {
  const isGivenBack = order.refunded === order.total || order.returned || order.restocking;
  return order.status === "paid" && isGivenBack ? "refunded" : order.status;
}

type Line = Purchase & { cancelledAt?: string | undefined };

/** The status of an order, or that all its known lines were refunded before they were shipped. */
export function statusOfOrder({
  status,
  lines,
  lineCount,
}: Pick<Order, "status" | "lineCount"> & { lines: Line[] }): Order["status"] | "refunded" {
  const kept = lines.filter((line) => !line.cancelledAt);
  const isRefunded = kept.every((line) => fulfillmentStatusOf(line) === "refunded");
  return lineCount > 0 && kept.length === lineCount && isRefunded ? "refunded" : status;
}
