import type pg from "pg";

/** Charges, intents and refunds are kept. Safe to run at any time, in any process. */
export async function pruneSandbox(pool: pg.Pool): Promise<void> {
  await pool.query("DELETE FROM sandbox.idempotency WHERE created_at < now() - interval '24 hours'");
  await pool.query("DELETE FROM sandbox.event WHERE delivered_at < now() - interval '30 days'");
  await pool.query(
    `DELETE FROM sandbox.payment_method AS unused WHERE created_at < now() - interval '1 day'
       AND NOT EXISTS (SELECT FROM sandbox.payment_intent WHERE payment_method_id = unused.id)
       AND NOT EXISTS (SELECT FROM sandbox.charge WHERE payment_method_id = unused.id)`,
  );
}
