import type { Output } from "../../api/contract.ts";
import type { OrderRow } from "../../database/schema.ts";
import type { Store, User } from "../store.ts";
import { findShipmentsOfBuyer } from "./shipments.ts";

export async function exportOrders(
  store: Store,
  buyer: User,
): Promise<Output<"downloadData">["orderHeaders"]> {
  const [orders, shipments] = await Promise.all([
    store.pool.query<OrderRow>("SELECT * FROM shop.order WHERE user_id = $1 ORDER BY id", [buyer.id]),
    findShipmentsOfBuyer(store, buyer.id),
  ]);
  return orders.rows.map(({ id, number, po_number, contact, note, placed_at }) => ({
    _id: id,
    number,
    ...(po_number && { poNumber: po_number }),
    ...(contact && { contact }),
    ...(note && { note }),
    placedAt: placed_at.toISOString(),
    shipments: shipments.get(id) ?? [],
  }));
}
