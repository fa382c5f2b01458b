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

export function andStatus(status: FulfillmentStatus | undefined): string {
  return status ? ` AND ${fulfillmentStatusSql[status]}` : "";
}

/** Most lines are shipped: counted up to `limit`. OFFSET 0 keeps the index by status for all others. */
export function countsByStatus(matching: string, limit?: number): string {
  const { unpaid, paid, shipped, refunded } = fulfillmentStatusSql;
  const upTo = limit === undefined ? "" : ` LIMIT ${limit}`;
  return `SELECT count(*) FILTER (WHERE ${unpaid}) AS unpaid, count(*) FILTER (WHERE ${paid}) AS paid,
      count(*) FILTER (WHERE ${refunded}) AS refunded, (
        SELECT count(*) FROM (SELECT FROM shop.purchase WHERE ${matching} AND ${shipped}${upTo}) AS counted
      ) AS shipped
    FROM (
      SELECT * FROM shop.purchase WHERE cancelled_at IS NULL AND status IN ('unpaid', 'paid') OFFSET 0
    ) AS purchase WHERE ${matching}`;
}
