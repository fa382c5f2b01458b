/** Where an order stands for those who ship it: its status, but what was given back is not to be shipped. */

export type FulfillmentStatus = "unpaid" | "paid" | "shipped" | "refunded";

/** Paid and still to be shipped: not refunded in full, and its items not restocked, by a pending refund neither. */
export const TO_SHIP = "status = 'paid' AND refunded_cents < total_cents AND restock_at IS NULL";

/** Each stand as a condition on shop.purchase; an order that was not cancelled meets exactly one. */
export const fulfillmentStatusSql: Record<FulfillmentStatus, string> = {
  unpaid: "status = 'unpaid'",
  paid: TO_SHIP,
  shipped: "status = 'shipped'",
  refunded: "status = 'paid' AND (refunded_cents = total_cents OR restock_at IS NOT NULL)",
};

/** How many orders stand where, as columns of one row. */
export const STATUS_COUNTS = (Object.entries(fulfillmentStatusSql) as [FulfillmentStatus, string][])
  .map(([stand, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${stand}`)
  .join(", ");
