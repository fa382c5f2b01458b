import type { Db } from "./idempotency.ts";
import { newId } from "./identifiers.ts";

const RETURN = `
  WITH failed AS (
    UPDATE sandbox.refund SET failed_at = now() WHERE id = $1 AND comes_back AND failed_at IS NULL RETURNING *),
  kept AS (
    UPDATE sandbox.charge SET amount_refunded_cents = amount_refunded_cents - failed.amount_cents
    FROM failed WHERE charge.id = failed.charge_id)
  INSERT INTO sandbox.event (id, type, snapshot) SELECT $2, 'refund.failed', to_jsonb(failed) FROM failed`;

/** `seconds` after they were made. Safe in several processes: each fails once. Returns their number. */
export async function failRefunds(db: Db, seconds: number): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM sandbox.refund
     WHERE comes_back AND failed_at IS NULL AND created_at <= now() - make_interval(secs => $1)`,
    [seconds],
  );
  let returned = 0;
  for (const { id } of rows) returned += (await db.query(RETURN, [id, newId("evt")])).rowCount ?? 0;
  return returned;
}
