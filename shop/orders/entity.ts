import type { Purchase } from "../../api/entities.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { fromCents } from "../money.ts";

const HOUR_MS = 3_600_000;

/**
 * A purchase as calls return it (specification, section 3).
 * @param holdHours how long an unpaid purchase keeps its stock; 0 = forever
 */
export function toPurchase(row: PurchaseRow, holdHours: number): Purchase {
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
    ...(row.status === "unpaid" &&
      !row.cancelled_at &&
      holdHours > 0 && { keptUntil: new Date(row.placed_at.getTime() + holdHours * HOUR_MS).toISOString() }),
    ...(row.item_number && { itemNumber: row.item_number }),
    ...(row.transaction_id && { transactionId: row.transaction_id }),
    ...(row.paid_at && { paidAt: row.paid_at.toISOString() }),
    ...(row.refunded_cents > 0 && { refunded: fromCents(row.refunded_cents) }),
    ...(row.returned_at && { returned: true as const }),
    ...(row.restock_at && !row.returned_at && { restocking: true as const }),
    ...(row.paid_mode && row.paid_mode !== "live" && { testPayment: true as const }),
    ...(row.disputed_at && { disputed: true as const }),
    ...(row.shipped_at && { shippedAt: row.shipped_at.toISOString() }),
  };
}
