/** Read with every scrape, so each figure comes from an index or the short job queue. */
import type { Queryable } from "../../database/client.ts";
import { TO_SHIP } from "../orders/fulfillment-status.ts";

export interface StoreFigures {
  orders: number;
  revenue_cents: number;
  /** since the payment of the oldest line to ship; 0 without one */
  oldest_unshipped_seconds: number;
}

export async function readFigures(db: Queryable): Promise<StoreFigures> {
  const { rows } = await db.query<StoreFigures>(
    `SELECT
       (SELECT count(DISTINCT order_id)::int FROM shop.purchase
        WHERE placed_at > now() - interval '1 hour' AND cancelled_at IS NULL) AS orders,
       (SELECT coalesce(sum(total_cents - refunded_cents), 0)::bigint FROM shop.purchase
        WHERE paid_at > now() - interval '1 hour') AS revenue_cents,
       (SELECT coalesce(extract(epoch FROM now() - min(paid_at)), 0)::float8 FROM shop.purchase
        WHERE ${TO_SHIP}) AS oldest_unshipped_seconds`,
  );
  return rows[0] as StoreFigures;
}
