import type { Request } from "../../api/contract.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { exportPages } from "../exports/export-pages.ts";
import { isRefusal } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { ORDER_EXPORT_COLUMNS, type WithInvoice } from "./export-columns.ts";
import { addOrders } from "./export-purchases.ts";
import { listOrders } from "./find-orders.ts";

// an order may have thousands of lines
const ORDERS_PER_READ = 20;

/** The lines of the viewer's own orders, also of an admin's. */
export function exportOrders(
  store: Store,
  viewer: User,
  { bom, ...search }: Request<"exportOrders">["query"],
) {
  return exportPages(ORDER_EXPORT_COLUMNS, "lines", { bom }, async ({ cursor }) => {
    const page = { ...search, mine: true, limit: ORDERS_PER_READ, cursor };
    const found = await listOrders(store, viewer, page);
    if (isRefusal(found)) return found;
    const { rows } = await store.pool.query<PurchaseRow & WithInvoice>(
      `SELECT line.*, 'INV-' || invoice_number AS invoice
       FROM shop.purchase line LEFT JOIN shop.invoice_line ON purchase_id = line.id
       WHERE order_id = ANY ($1) AND cancelled_at IS NULL ORDER BY order_id DESC, line_number`,
      [found.orders.map(({ _id }) => _id)],
    );
    return { lines: await addOrders(store, rows), next: found.next };
  });
}
