import type { Request } from "../../api/contract.ts";
import type { Shipment } from "../../api/order-calls.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, type Result, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { findOrderRow, findPurchaseRow } from "./queries.ts";
import { SHIP_UNDO_SECONDS, shipProblem } from "./rules.ts";
import { findShipment } from "./shipments.ts";

type ShipmentForm = Request<"shipOrder">["body"];

const SHIP = `
SELECT shipment_id, unfit, pieces_left FROM shop.ship(
  (SELECT id FROM shop.order o WHERE o.id = $1 OR o.id = (SELECT order_id FROM shop.purchase WHERE id = $1)),
  $2, $3, $4, $5, $6, now() + interval '${SHIP_UNDO_SECONDS} seconds')`;

interface ShipResult {
  shipment_id: string | null;
  unfit: string | null;
  pieces_left: number | null;
}

const FIND_SHIPMENT = `
SELECT shipment_id AS id FROM shop.shipment_line WHERE $1 IN (shipment_id, purchase_id)
ORDER BY shipment_id DESC LIMIT 1`;

// "Deleted" may also be the address of an order whose account exists
const ACCOUNT_DELETED = `(address = 'Deleted'
  AND EXISTS (SELECT FROM shop.user buyer WHERE buyer.id = purchase.user_id AND deleted_at IS NOT NULL))`;

// Succeeds only while the queued email can be deleted; a worker that has taken it sends it. Locks the purchases
// ordered by id, as shop.ship does.
const UNDO = `
WITH undoable AS (
  SELECT id FROM shop.shipment
  WHERE id = $1 AND shipped_at > clock_timestamp() - interval '${SHIP_UNDO_SECONDS} seconds'
    AND NOT EXISTS (SELECT FROM shop.shipment_line JOIN shop.purchase ON purchase.id = purchase_id
      WHERE shipment_id = $1 AND (restock_at IS NOT NULL OR ${ACCOUNT_DELETED}))
  FOR UPDATE
), email AS (
  DELETE FROM graphile_worker._private_jobs
  WHERE key = 'shipped-' || (SELECT id FROM undoable) AND locked_at IS NULL AND attempts = 0
  RETURNING id
), locked AS (
  SELECT id FROM shop.purchase WHERE id IN (SELECT purchase_id FROM email, shop.shipment_line WHERE shipment_id = $1)
  ORDER BY id FOR NO KEY UPDATE
), restored AS (
  UPDATE shop.purchase SET status = 'paid', shipped_at = NULL, shipped_pieces = shipped_pieces - line.pieces
  FROM locked, shop.shipment_line line
  WHERE line.shipment_id = $1 AND line.purchase_id = locked.id AND purchase.id = locked.id
)
DELETE FROM shop.shipment USING email WHERE shipment.id = $1 RETURNING ${actorSql("$2")}`;

/** Ships all remaining pieces of a paid purchase (specification, section 4). Refuses missing and unpaid ones. */
export async function shipPurchase(store: Store, id: string, seen?: number): Result<"shipPurchase"> {
  const { shipment_id } = await ship(store, id, [{ purchase: id, pieces: null, seen }]);
  return shipment_id ? { modifiedCount: 1 } : explainRefusal(store, id, seen);
}

/** Ships all lines or none; repeated lines are added up. */
export async function shipOrder(store: Store, id: string, form: ShipmentForm): Promise<Shipment | Refusal> {
  const order = await findOrderRow(store, id);
  if (!order) return refuse("missing", orderRefusals.orderNotFound);
  const lines = [...Map.groupBy(form.lines, ({ purchaseId }) => purchaseId)].map(([purchase, same]) => ({
    purchase,
    seen: same[0]?.seenShipped,
    // a larger number would overflow in SQL
    pieces: Math.min(
      same.reduce((sum, { quantity }) => sum + quantity, 0),
      2 ** 31 - 1,
    ),
  }));
  const { shipment_id, unfit, pieces_left } = await ship(store, order.id, lines, form);
  if (shipment_id) return (await findShipment(store, shipment_id)) as Shipment;
  const index = form.lines.findIndex(({ purchaseId }) => purchaseId === unfit);
  const row = pieces_left === null ? undefined : await findPurchaseRow(store, unfit as string);
  const { pieces = 0, seen = 0 } = lines.find(({ purchase }) => purchase === unfit) ?? {};
  const detail = row
    ? (shipProblem(row) ?? piecesProblem({ pieces, seen }, row.quantity, pieces_left as number))
    : orderRefusals.lineOfOtherOrder;
  return refuse("conflict", detail, { fields: { [`lines.${index}.quantity`]: detail } });
}

function piecesProblem(asked: { pieces: number; seen: number }, ordered: number, left: number): string {
  return asked.pieces > left
    ? orderRefusals.piecesLeft(left)
    : orderRefusals.shippedMeanwhile(ordered - left, asked.seen);
}

async function ship(
  store: Store,
  id: string,
  lines: { purchase: string; pieces: number | null; seen?: number | undefined }[],
  { carrier = "", trackingNumber = "", trackingUrl = "" }: Partial<ShipmentForm> = {},
): Promise<ShipResult> {
  const values = [id, JSON.stringify(lines), carrier, trackingNumber, trackingUrl, actorText()];
  const { rows } = await store.pool.query<ShipResult>(SHIP, values);
  return rows[0] as ShipResult;
}

async function explainRefusal(store: Store, id: string, seen: number | undefined): Promise<Refusal> {
  const row = await findPurchaseRow(store, id);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  const problem = shipProblem(row);
  if (problem || seen === undefined) return refuse("conflict", problem ?? refusals.serverFailed);
  return refuse("conflict", orderRefusals.shippedMeanwhile(row.shipped_pieces, seen));
}

/** Within SHIP_UNDO_SECONDS and before its email is sent. Refuses one of a deleted account, whose address is gone. */
export async function undoShipment(store: Store, id: string): Promise<{ modifiedCount: number } | Refusal> {
  const { rows } = await store.pool.query<{ id: string }>(FIND_SHIPMENT, [id]);
  if (rows[0]) {
    const { rowCount } = await store.pool.query(UNDO, [rows[0].id, actorText()]);
    if (rowCount === 1) return { modifiedCount: 1 };
  }
  const row = await findPurchaseRow(store, id);
  if (!row && rows[0]) return refuse("conflict", refusals.undoTooLate);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  if (row.shipped_pieces === 0) return refuse("conflict", refusals.notShipped);
  const { rows: ofDeletedAccount } = await store.pool.query(
    `SELECT FROM shop.purchase WHERE id = $1 AND ${ACCOUNT_DELETED}`,
    [row.id],
  );
  return refuse("conflict", ofDeletedAccount.length > 0 ? refusals.undoForgotten : refusals.undoTooLate);
}
