import type pg from "pg";

const BATCH = 10_000;

// the condition is checked again, since it may have changed meanwhile
const deleteSome = (table: string, isOld: string) => `
DELETE FROM sandbox.${table} WHERE ${isOld} AND ctid = ANY (ARRAY(
  SELECT ctid FROM sandbox.${table} WHERE ${isOld} LIMIT ${BATCH}))`;

const IS_UNUSED = `created_at < now() - interval '1 day'
  AND NOT EXISTS (SELECT FROM sandbox.payment_intent WHERE payment_method_id = payment_method.id)
  AND NOT EXISTS (SELECT FROM sandbox.charge WHERE payment_method_id = payment_method.id)`;

/** Charges, intents and refunds are kept. Safe to run at any time, in any process. */
export async function pruneSandbox(pool: pg.Pool): Promise<void> {
  await repeat(pool, deleteSome("idempotency", "created_at < now() - interval '24 hours'"));
  await repeat(pool, deleteSome("event", "delivered_at < now() - interval '30 days'"));
  await repeat(pool, deleteSome("payment_method", IS_UNUSED));
}

/** In batches: deleting millions at once takes longer than a statement may. */
async function repeat(pool: pg.Pool, text: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(text);
    if ((rowCount ?? 0) < BATCH) return;
  }
}
