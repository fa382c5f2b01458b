import type { Order, Purchase } from "../../../api/entities.ts";

/** Where an order stands for people: its status, or that it will not be sent since it was given back whole. */
export type FulfillmentStatus = Purchase["status"] | "refunded";

/** The stand of an order; the same rule as `stands` in shop/orders/fulfillment-status.ts. */
export function fulfillmentStatusOf(
  order: Pick<Purchase, "status" | "refunded" | "total" | "returned" | "restocking">,
): FulfillmentStatus {
  const isGivenBack = order.refunded === order.total || order.returned || order.restocking;
  return order.status === "paid" && isGivenBack ? "refunded" : order.status;
}

type Line = Purchase & { cancelledAt?: string | undefined };

/** The status of an order, or that all of its lines were refunded before they were shipped, as far as they are known. */
export function statusOfOrder({
  status,
  lines,
  lineCount,
}: Pick<Order, "status" | "lineCount"> & { lines: Line[] }): Order["status"] | "refunded" {
  const kept = lines.filter((line) => !line.cancelledAt);
  const isRefunded = kept.every((line) => fulfillmentStatusOf(line) === "refunded");
  return lineCount > 0 && kept.length === lineCount && isRefunded ? "refunded" : status;
}
