import type { Purchase } from "../../../api/entities.ts";

/** Where an order stands for people: its status, or that it will not be sent since it was given back whole. */
export type FulfillmentStatus = Purchase["status"] | "refunded";

/** The stand of an order; the same rule as `stands` in shop/orders/fulfillment-status.ts. */
export function fulfillmentStatusOf(
  order: Pick<Purchase, "status" | "refunded" | "total" | "returned" | "restocking">,
): FulfillmentStatus {
  const isGivenBack = order.refunded === order.total || order.returned || order.restocking;
  return order.status === "paid" && isGivenBack ? "refunded" : order.status;
}
