import type { Db } from "./idempotency.ts";
import { newId } from "./identifiers.ts";

const FAIL_REFUND = `
  WITH failed AS (
    UPDATE sandbox.refund SET failed_at = now() WHERE id = $1 AND comes_back AND failed_at IS NULL RETURNING *),
  charge_update AS (
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
  let failed = 0;
  for (const { id } of rows) failed += (await db.query(FAIL_REFUND, [id, newId("evt")])).rowCount ?? 0;
  return failed;
}
