import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { TO_SHIP } from "./fulfillment-status.ts";
import { findPurchaseRow } from "./queries.ts";
import { SHIP_UNDO_SECONDS, shipProblem } from "./rules.ts";

// The email waits until the shipment can no longer be undone.
const SHIP = `
WITH shipped AS (
  UPDATE shop.purchase SET status = 'shipped', shipped_at = now()
  WHERE id = $1 AND cancelled_at IS NULL AND ${TO_SHIP}
  RETURNING id
)
SELECT ${actorSql("$2")}, shop.queue_email(
  json_build_object('mail', 'purchaseShipped', 'purchaseId', id), job_key := 'shipped-' || id,
  send_at := now() + interval '${SHIP_UNDO_SECONDS} seconds') FROM shipped`;

// Succeeds only while the queued email can be deleted; a worker that has taken it sends it.
const UNDO = `
WITH undoable AS (
  SELECT id FROM shop.purchase
  WHERE id = $1 AND status = 'shipped' AND restock_at IS NULL AND address <> 'Deleted'
    AND shipped_at > clock_timestamp() - interval '${SHIP_UNDO_SECONDS} seconds'
  FOR UPDATE
), email AS (
  DELETE FROM graphile_worker._private_jobs
  WHERE key = 'shipped-' || (SELECT id FROM undoable) AND locked_at IS NULL AND attempts = 0
  RETURNING id
)
UPDATE shop.purchase SET status = 'paid', shipped_at = NULL FROM email
WHERE purchase.id = $1 RETURNING ${actorSql("$2")}`;

/** Ships a paid purchase (specification, section 4). Refuses missing, unpaid and shipped purchases. */
export async function shipPurchase(store: Store, id: string): Promise<{ modifiedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(SHIP, [id, actorText()]);
  if (rowCount === 1) return { modifiedCount: 1 };
  const row = await findPurchaseRow(store, id);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  return refuse("conflict", shipProblem(row) ?? refusals.serverFailed);
}

/**
 * Makes a shipped purchase a paid one again, for SHIP_UNDO_SECONDS and before its email is sent. Refuses a purchase of a
 * deleted account: its address was deleted when it was shipped.
 */
export async function undoShipment(store: Store, id: string): Promise<{ modifiedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(UNDO, [id, actorText()]);
  if (rowCount === 1) return { modifiedCount: 1 };
  const row = await findPurchaseRow(store, id);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  if (row.status !== "shipped") return refuse("conflict", refusals.notShipped);
  const isForgotten = row.address === "Deleted";
  return refuse("conflict", isForgotten ? refusals.undoForgotten : refusals.undoTooLate);
}
