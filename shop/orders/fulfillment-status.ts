/** The status as shown to those who ship: a paid purchase that was refunded is not to be shipped. */
export type FulfillmentStatus = "unpaid" | "paid" | "shipped" | "refunded";

/** Not refunded in full, and not restocked by a refund, also not by a pending one. */
export const TO_SHIP = "status = 'paid' AND refunded_cents < total_cents AND restock_at IS NULL";

/** Conditions on shop.purchase. A purchase that is not cancelled meets exactly one. */
export const fulfillmentStatusSql: Record<FulfillmentStatus, string> = {
  unpaid: "status = 'unpaid'",
  paid: TO_SHIP,
  shipped: "status = 'shipped'",
  refunded: "status = 'paid' AND (refunded_cents = total_cents OR restock_at IS NOT NULL)",
};

/** The number of purchases by status, as columns of one row. */
export const STATUS_COUNTS = (Object.entries(fulfillmentStatusSql) as [FulfillmentStatus, string][])
  .map(([status, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${status}`)
  .join(", ");
