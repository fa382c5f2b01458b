import { id } from "../../api/fields.ts";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import type { Refund } from "../payments/provider.ts";
import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { markRefundFailed } from "./fail.ts";
import { markRefundDone, submitRefund } from "./submit.ts";

// A statement of its own, so that the next one sees what was recorded meanwhile.
const LOCK_LINES = "SELECT FROM shop.purchase WHERE transaction_id = $1 ORDER BY id FOR NO KEY UPDATE";

// One made in the provider's dashboard is distributed over the lines of its payment in their order, each up to what
// remains of it; or not at all, if it is more than their sum.
const ADOPT_REFUND = `
WITH line AS (
  SELECT id, total_cents - refunded_cents AS left_cents, order_id, line_number FROM shop.purchase
  WHERE transaction_id = $1
), share AS (
  SELECT id, least(left_cents, greatest(0, $3 - coalesce(sum(left_cents) OVER before, 0))) AS cents, sum(left_cents) OVER () AS all_left
  FROM line
  WINDOW before AS (ORDER BY order_id, line_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), paid AS (
  UPDATE shop.purchase SET refunded_cents = refunded_cents + share.cents
  FROM share WHERE purchase.id = share.id AND share.cents > 0 AND share.all_left >= $3
    AND NOT EXISTS (SELECT FROM shop.refund WHERE provider_id = $2)
  RETURNING purchase.id, share.cents
), adopted AS (
  INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin, status, provider_id, done_at)
  SELECT $1, id, cents, 'Refunded by the store.', 'provider', 'done', $2, now() FROM paid
  RETURNING id, purchase_id
)
SELECT shop.queue_email(json_build_object('mail', 'refundIssued', 'purchaseId', purchase_id, 'refundId', id))
FROM adopted`;

// A refund that the provider rejected, for good or for the time being.
const IS_REJECTED = "(status = 'failed' OR (status = 'due' AND problem IS NOT NULL))";

// The oldest of them, of one or several lines, that may have been repeated in the provider's dashboard.
const REJECTED_BY_PROVIDER = `
WITH oldest AS (
  SELECT coalesce(provider_id, id::text) AS provider_refund FROM shop.refund WHERE payment_id = $1 AND ${IS_REJECTED}
  GROUP BY 1 HAVING sum(amount_cents) = $3 ORDER BY min(asked_at), 1 LIMIT 1
)
SELECT id, attempt FROM shop.refund, oldest
WHERE payment_id = $1 AND ${IS_REJECTED} AND coalesce(provider_id, id::text) = oldest.provider_refund
  AND NOT EXISTS (SELECT FROM shop.refund WHERE provider_id = $2)
ORDER BY id`;

// Locks all refunds, and then all lines, before the first credit note: its number is locked until the commit, so locks
// that are taken after it could deadlock with another statement about these refunds or lines.
const LOCK_REFUNDS = "SELECT FROM shop.refund WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE";

/** Adopts refunds made elsewhere. Idempotent. Returns how many were adopted or marked failed. */
export async function syncRefunds(store: Store, paymentId: string): Promise<number> {
  let adopted = 0;
  for await (const refund of store.payments.refundsOf(paymentId)) {
    const isOwn = await completeOwnRefund(store, refund);
    if (refund.status === "failed") adopted += Number(await markRefundFailed(store, refund));
    else if (!isOwn) adopted += await adoptRefund(store, paymentId, refund);
  }
  return adopted;
}

async function completeOwnRefund(store: Store, refund: Refund): Promise<boolean> {
  const own = await findOwnRefund(store, refund);
  if (own?.status === "due") await submitRefund(store, own.id);
  return own !== undefined;
}

/** The refund of the provider's reference, which of refunds made elsewhere may be any text. */
export async function findOwnRefund(
  { pool }: Store,
  { reference }: Refund,
): Promise<{ id: string; status: string } | undefined> {
  if (!id.safeParse(reference).success) return undefined;
  const { rows } = await pool.query<{ id: string; status: string }>(
    "SELECT id, status FROM shop.refund WHERE id = $1",
    [reference],
  );
  return rows[0];
}

async function adoptRefund(store: Store, paymentId: string, refund: Refund): Promise<number> {
  const values: [string, string, number] = [paymentId, refund.id, refund.amountCents];
  try {
    const { rows } = await store.pool.query<{ id: string; attempt: number }>(REJECTED_BY_PROVIDER, values);
    if (rows.length === 0) return await distributeRefund(store, values);
    await inTransaction(store, async (tx) => {
      await tx.pool.query(LOCK_REFUNDS, [rows.map(({ id }) => id)]);
      await tx.pool.query(LOCK_LINES, [paymentId]);
      for (const rejected of rows) await markRefundDone(tx, rejected, refund.id);
    });
    return 1;
  } catch (error) {
    if (isUniqueViolation(error, "refund_provider_id_key")) return 0;
    throw error;
  }
}

/** Of concurrent reports of the same refund, the later ones wait for the lines and find it recorded. */
function distributeRefund(store: Store, values: [string, string, number]): Promise<number> {
  return inTransaction(store, async ({ pool }) => {
    await pool.query(LOCK_LINES, values.slice(0, 1));
    const { rowCount } = await pool.query(ADOPT_REFUND, values);
    return Math.min(1, rowCount ?? 0);
  });
}
