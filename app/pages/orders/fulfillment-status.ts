import type { Order, Purchase } from "../../../api/entities.ts";

/** The displayed status: that of the purchase, or that it was fully refunded and will not be shipped. */
export type FulfillmentStatus = Purchase["status"] | "refunded";

/** The same rule as `fulfillmentStatusSql` in shop/orders/fulfillment-status.ts. */
export function fulfillmentStatusOf(
  purchase: Pick<Purchase, "status" | "refunded" | "total" | "returned" | "restocking">,
): FulfillmentStatus {
  const isRefunded = purchase.refunded === purchase.total || purchase.returned || purchase.restocking;
  return purchase.status === "paid" && isRefunded ? "refunded" : purchase.status;
}

type Line = Purchase & { cancelledAt?: string | undefined };

/** The status of an order whose refunded lines will not be shipped. A node of the previous release does not send it. */
export function statusOfOrder({
  status,
  fulfillment,
  lines,
  lineCount,
}: Pick<Order, "status" | "fulfillment" | "lineCount"> & { lines: Line[] }): Order["status"] | "refunded" {
  if (fulfillment) return fulfillment;
  const activeLines = lines.filter((line) => !line.cancelledAt);
  if (lineCount === 0 || activeLines.length !== lineCount) return status;
  const statuses = new Set(activeLines.map(fulfillmentStatusOf));
  if (!statuses.delete("refunded")) return status;
  if (statuses.size === 0) return "refunded";
  return statuses.size === 1 && statuses.has("shipped") ? "shipped" : status;
}
