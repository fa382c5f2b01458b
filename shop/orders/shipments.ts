import type { Shipment } from "../../api/order-calls.ts";
import type { Store } from "../store.ts";
import { SHIP_UNDO_SECONDS } from "./rules.ts";

interface ShipmentRow {
  id: string;
  order_id: string;
  number: number;
  shipped_at: Date;
  carrier: string;
  tracking_number: string;
  tracking_url: string;
  undo_until: Date | null;
  lines: { purchaseId: string; quantity: number }[];
}

const UNDO_PERIOD = `interval '${SHIP_UNDO_SECONDS} seconds'`;

const SHIPMENTS = `
SELECT shipment.*, CASE WHEN shipped_at > now() - ${UNDO_PERIOD} THEN shipped_at + ${UNDO_PERIOD} END AS undo_until,
  (SELECT json_agg(json_build_object('purchaseId', purchase_id, 'quantity', pieces) ORDER BY purchase_id)
  FROM shop.shipment_line WHERE shipment_id = shipment.id) AS lines
FROM shop.shipment`;

export async function findShipments({ pool }: Store, orderId: string): Promise<Shipment[]> {
  const { rows } = await pool.query<ShipmentRow>(`${SHIPMENTS} WHERE order_id = $1 ORDER BY id`, [orderId]);
  return rows.map(toShipment);
}

export async function findShipmentsOfBuyer(
  { pool }: Store,
  userId: string,
): Promise<Map<string, Shipment[]>> {
  const { rows } = await pool.query<ShipmentRow>(
    `${SHIPMENTS} WHERE order_id IN (SELECT id FROM shop.order WHERE user_id = $1) ORDER BY id`,
    [userId],
  );
  const grouped = Map.groupBy(rows, (row) => row.order_id);
  return new Map([...grouped].map(([orderId, ofOrder]) => [orderId, ofOrder.map(toShipment)]));
}

export async function findShipment({ pool }: Store, id: string): Promise<Shipment | undefined> {
  const { rows } = await pool.query<ShipmentRow>(`${SHIPMENTS} WHERE id = $1`, [id]);
  return rows[0] && toShipment(rows[0]);
}

function toShipment(row: ShipmentRow): Shipment {
  return {
    _id: row.id,
    number: row.number,
    shippedAt: row.shipped_at.toISOString(),
    ...(row.carrier && { carrier: row.carrier }),
    ...(row.tracking_number && { trackingNumber: row.tracking_number }),
    ...(row.tracking_url && { trackingUrl: row.tracking_url }),
    lines: row.lines,
    ...(row.undo_until && { undoUntil: row.undo_until.toISOString() }),
  };
}
