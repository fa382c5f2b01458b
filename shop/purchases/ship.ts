import { actorText, setActor } from "../history/actor.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Store } from "../store.ts";
import { findPurchaseRow } from "./queries.ts";
import { shipProblem } from "./rules.ts";
import { TO_SHIP } from "./stands.ts";

const SHIP = `
WITH shipped AS (
  UPDATE shop.purchase SET status = 'shipped', shipped_at = now()
  WHERE id = $1 AND cancelled_at IS NULL AND ${TO_SHIP}
  RETURNING id
)
SELECT ${setActor("$2")}, (graphile_worker.add_job('send-mail', json_build_object('mail', 'purchaseShipped', 'purchaseId', id))).id FROM shipped`;

/** Ships a paid purchase, once (specification, section 4). Refuses one that is gone, unpaid or shipped. */
export async function shipPurchase(store: Store, id: string): Promise<{ modifiedCount: number } | Refusal> {
  const { rowCount } = await store.pool.query(SHIP, [id, actorText()]);
  if (rowCount === 1) return { modifiedCount: 1 };
  const row = await findPurchaseRow(store, id);
  if (!row || row.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  return refuse("conflict", shipProblem(row) ?? refusals.serverFailed);
}
