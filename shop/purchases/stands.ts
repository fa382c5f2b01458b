/** Where an order stands for those who ship it: its status, but what was given back is not to be shipped. */

export type Stand = "unpaid" | "paid" | "shipped" | "refunded";

/** Paid, not shipped, and still to be: whoever got the money or the goods back gets no parcel. */
export const TO_SHIP = "status = 'paid' AND refunded_cents < total_cents AND returned_at IS NULL";

/** Each stand as a condition on shop.purchase; an order that was not cancelled meets exactly one. */
export const stands: Record<Stand, string> = {
  unpaid: "status = 'unpaid'",
  paid: TO_SHIP,
  shipped: "status = 'shipped'",
  refunded: "status = 'paid' AND (refunded_cents = total_cents OR returned_at IS NOT NULL)",
};

/** How many orders stand where, as columns of one row. */
export const STAND_COUNTS = (Object.entries(stands) as [Stand, string][])
  .map(([stand, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${stand}`)
  .join(", ");
