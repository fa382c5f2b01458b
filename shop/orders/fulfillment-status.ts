/** The status as shown to those who ship: a refunded purchase is not to be shipped. */
export type FulfillmentStatus = "unpaid" | "paid" | "shipped" | "refunded";

/** Neither refunded in full nor restocked, also not by a pending refund. */
export const TO_SHIP = "status = 'paid' AND refunded_cents < total_cents AND restock_at IS NULL";

/** Conditions on shop.purchase. A purchase that is not cancelled meets exactly one. */
export const fulfillmentStatusSql: Record<FulfillmentStatus, string> = {
  unpaid: "status = 'unpaid'",
  paid: TO_SHIP,
  shipped: "status = 'shipped'",
  refunded: "status = 'paid' AND (refunded_cents = total_cents OR restock_at IS NOT NULL)",
};

export const STATUS_COUNTS = (Object.entries(fulfillmentStatusSql) as [FulfillmentStatus, string][])
  .map(([status, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${status}`)
  .join(", ");
