/** Which purchases an admin's list, its counts and its export include. */
import { likePatterns, type Select } from "../../database/pagination.ts";
import type { Store } from "../store.ts";

export interface PurchaseFilter {
  /**
   * words of the buyer's name, email, product, item number, transaction id or order id, or of the order's number, PO
   * number or a tracking number; all must match
   */
  q?: string | undefined;
}

/**
 * A condition on shop.purchase for those that are not cancelled and match.
 * @param orders those that `findOrdersByNumber` found
 */
export function matchPurchases({ q }: PurchaseFilter, orders: string[][]): Select {
  const patterns = likePatterns(q);
  const words = "shop.purchase_words(name, email, product_name, item_number, transaction_id, id)";
  // the orders are an array, found before: a subquery would prevent the use of indexes
  const found = patterns.map(
    (_, index) => ` AND (${words} ILIKE $${index * 2 + 1} OR order_id = ANY ($${index * 2 + 2}::uuid[]))`,
  );
  const values = patterns.flatMap((pattern, index) => [pattern, orders[index]]);
  return { text: `cancelled_at IS NULL${found.join("")}`, values };
}

/** So many orders, the newest, are found by a part of a number. */
const MOST_ORDERS = 1000;

/** For each word, the orders whose number, PO number or tracking number has it. */
export function findOrdersByNumber({ pool }: Store, q: string | undefined): Promise<string[][]> {
  return Promise.all(
    likePatterns(q).map(async (pattern) => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM shop.order WHERE number::text || ' ' || po_number ILIKE $1
         UNION SELECT order_id FROM shop.shipment WHERE tracking_number ILIKE $1
         ORDER BY id DESC LIMIT ${MOST_ORDERS}`,
        [pattern],
      );
      return rows.map(({ id }) => id);
    }),
  );
}
