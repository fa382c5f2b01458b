import type { Request } from "../../api/contract.ts";
import type { Queryable } from "../../database/client.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { MAX_PIECES } from "../cart/limits.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";

type StockChange = Request<"changeStock">["body"];

const reasons = { receive: "received", count: "counted", correct: "corrected" } as const;

// The product's row is locked before its stock is read, so that a count is compared with the current stock.
const CHANGE = `
WITH locked AS (
  SELECT id, quantity, CASE WHEN $2 = 'counted' THEN $3 ELSE quantity + $3 END AS new_quantity
  FROM shop.product WHERE id = $1 AND archived_at IS NULL FOR NO KEY UPDATE
), changed AS (
  UPDATE shop.product SET quantity = new_quantity FROM locked
  WHERE product.id = locked.id AND new_quantity BETWEEN 0 AND greatest(${MAX_PIECES}, locked.quantity)
  RETURNING product.id, product.quantity, product.quantity - locked.quantity AS pieces
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, user_id, note)
  SELECT id, pieces, $2, $4, $5 FROM changed
)
SELECT locked.quantity AS before, changed.quantity AS after, ${actorSql("$6")}
FROM locked LEFT JOIN changed ON true`;

/**
 * With `seenMovement`, refuses what another admin, or a request whose response was lost, may have recorded already, and
 * a count after an order: it would put the ordered pieces back into stock.
 */
export function changeStock(
  store: Store,
  admin: User,
  productId: string,
  change: StockChange,
): Promise<{ quantity: number } | Refusal> {
  const { seenMovement } = change;
  return inTransaction(store, async ({ pool }) => {
    if (seenMovement !== undefined && (await hasChangedSince(pool, productId, seenMovement, change)))
      return refuse("conflict", refusals.stockChanged);
    return insertMovement(pool, admin, productId, change);
  });
}

/** By an admin, or for a count also by orders. Locks the product before, so that a concurrent change is seen. */
async function hasChangedSince(
  db: Queryable,
  productId: string,
  seenMovement: string,
  { kind }: StockChange,
): Promise<boolean> {
  await db.query("SELECT FROM shop.product WHERE id = $1 FOR NO KEY UPDATE", [productId]);
  const { rowCount } = await db.query(
    `SELECT FROM shop.stock_movement
     WHERE product_id = $1 AND id > $2 AND ($3 OR reason IN ('received', 'counted', 'corrected')) LIMIT 1`,
    [productId, seenMovement, kind === "count"],
  );
  return rowCount === 1;
}

async function insertMovement(
  pool: Queryable,
  admin: User,
  productId: string,
  { kind, pieces, reason }: StockChange,
): Promise<{ quantity: number } | Refusal> {
  const { rows } = await pool.query<{ before: number; after: number | null }>(CHANGE, [
    productId,
    reasons[kind],
    pieces,
    admin.id,
    reason || null,
    actorText(),
  ]);
  const [result] = rows;
  if (!result) return refuse("missing", refusals.productNotFound);
  if (result.after !== null) return { quantity: result.after };
  return refuseField(
    "pieces",
    result.before + pieces < 0
      ? refusals.correctionTooLarge(result.before)
      : refusals.atMost(Math.max(0, MAX_PIECES - result.before)),
  );
}

const SET_REORDER_POINT = `
UPDATE shop.product SET reorder_point = $2, version = version + (reorder_point <> $2)::integer
WHERE id = $1 AND archived_at IS NULL
RETURNING reorder_point, ${actorSql("$3")}`;

export async function setReorderPoint(
  { pool }: Store,
  productId: string,
  reorderPoint: number,
): Promise<{ reorderPoint: number } | Refusal> {
  const { rowCount } = await pool.query(SET_REORDER_POINT, [productId, reorderPoint, actorText()]);
  return rowCount === 1 ? { reorderPoint } : refuse("missing", refusals.productNotFound);
}
