import type { Selectable } from "kysely";
import type { Purchase } from "../../api/entities.ts";
import type { PurchaseTable } from "../../database/schema.ts";
import { fromCents } from "../money.ts";

/** A purchase as the calls answer it (specification, section 3). */
export function toPurchase(row: Selectable<PurchaseTable>): Purchase {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    address: row.address,
    phone: row.phone,
    purchaseQuantity: row.quantity,
    productName: row.product_name,
    picture: row.picture,
    price: fromCents(row.price_cents),
    total: fromCents(row.total_cents),
    status: row.status,
    productId: row.product_id,
    placedAt: row.placed_at.toISOString(),
    ...(row.item_number && { itemNumber: row.item_number }),
    ...(row.transaction_id && { transactionId: row.transaction_id }),
    ...(row.paid_at && { paidAt: row.paid_at.toISOString() }),
    ...(row.refunded_cents > 0 && { refunded: fromCents(row.refunded_cents) }),
    ...(row.returned_at && { returned: true as const }),
    ...(row.disputed_at && { disputed: true as const }),
    ...(row.shipped_at && { shippedAt: row.shipped_at.toISOString() }),
  };
}
