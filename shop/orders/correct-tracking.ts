import type { Request } from "../../api/contract.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Result, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { findShipment } from "./shipments.ts";

// An email of the shipment that is still queued will have the new tracking number. Locked, it is not taken by a worker
// before this transaction ends. Locks the shipment first, as undoing it does.
const CORRECT = `
WITH corrected AS (
  UPDATE shop.shipment SET carrier = $2, tracking_number = $3, tracking_url = $4
  WHERE id = $1 AND (carrier, tracking_number, tracking_url) <> ($2, $3, $4)
  RETURNING id, order_id
), queued AS (
  SELECT id FROM graphile_worker._private_jobs
  WHERE key = 'shipped-' || (SELECT id FROM corrected) AND locked_at IS NULL AND attempts < max_attempts
  FOR UPDATE
)
SELECT ${actorSql("$5")}, CASE WHEN NOT EXISTS (SELECT FROM queued) THEN shop.queue_email(
  json_build_object('mail', 'orderShipped', 'orderId', order_id, 'shipmentId', id, 'corrected', true)) END
FROM corrected`;

/** The same values again change nothing and send no email. */
export async function correctTracking(
  store: Store,
  id: string,
  { carrier, trackingNumber, trackingUrl }: Request<"correctTracking">["body"],
): Result<"correctTracking"> {
  await store.pool.query(CORRECT, [id, carrier, trackingNumber, trackingUrl, actorText()]);
  return (await findShipment(store, id)) ?? refuse("missing", orderRefusals.shipmentNotFound);
}
