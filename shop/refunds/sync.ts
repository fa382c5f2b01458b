import { id } from "../../api/fields.ts";
import type { Refund } from "../payments/provider.ts";
import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { markRefundFailed } from "./fail.ts";
import { markRefundDone, submitRefund } from "./submit.ts";

// All refunds, and then all lines, before the first credit note: its number is locked until the commit, so locks that are
// taken after it could deadlock with another statement about these refunds or lines.
const LOCK_REFUNDS = "SELECT FROM shop.refund WHERE payment_id = $1 ORDER BY id FOR NO KEY UPDATE";
const LOCK_LINES = "SELECT FROM shop.purchase WHERE transaction_id = $1 ORDER BY id FOR NO KEY UPDATE";

const FIND_PAYMENT = `
SELECT EXISTS (SELECT FROM shop.refund WHERE provider_id = $2) AS is_recorded,
  EXISTS (SELECT FROM shop.refund WHERE payment_id = $1 AND status = 'due' AND problem IS NULL) AS is_pending,
  (SELECT coalesce(sum(total_cents - refunded_cents), 0)::int FROM shop.purchase WHERE transaction_id = $1) AS left_cents`;

// Refunds that the provider rejected, for good or for the time being, of one or several lines each; the oldest first.
const FIND_REJECTED = `
SELECT array_agg(id ORDER BY id) AS ids, sum(amount_cents)::int AS cents FROM shop.refund
WHERE payment_id = $1 AND (status = 'failed' OR (status = 'due' AND problem IS NOT NULL))
GROUP BY coalesce(provider_id, id::text) ORDER BY min(asked_at), 1`;

const NEXT_ATTEMPT = "UPDATE shop.refund SET attempt = attempt + 1 WHERE id = ANY ($1) RETURNING id, attempt";

// Distributed over the lines of the payment in their order, each up to what remains of it.
const INSERT_REFUNDS = `
WITH line AS (
  SELECT id, total_cents - refunded_cents AS left_cents, order_id, line_number FROM shop.purchase
  WHERE transaction_id = $1
), share AS (
  SELECT id, least(left_cents, greatest(0, $3 - coalesce(sum(left_cents) OVER before, 0))) AS cents
  FROM line
  WINDOW before AS (ORDER BY order_id, line_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), paid AS (
  UPDATE shop.purchase SET refunded_cents = refunded_cents + share.cents
  FROM share WHERE purchase.id = share.id AND share.cents > 0
  RETURNING purchase.id, share.cents
), adopted AS (
  INSERT INTO shop.refund (payment_id, purchase_id, amount_cents, reason, origin, status, provider_id, done_at)
  SELECT $1, id, cents, 'Refunded by the store.', 'provider', 'done', $2, now() FROM paid
  RETURNING id, purchase_id
)
SELECT shop.queue_email(json_build_object('mail', 'refundIssued', 'purchaseId', purchase_id, 'refundId', id))
FROM adopted`;

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

interface RejectedRefund {
  ids: string[];
  cents: number;
}

/**
 * Of concurrent reports of the same refund, the later ones wait for the locks and find it recorded. While a pending one
 * may be a part of it, it is not recorded: `resumeRefund` does it afterwards.
 */
function adoptRefund(store: Store, paymentId: string, refund: Refund): Promise<number> {
  return inTransaction(store, async (tx) => {
    await tx.pool.query(LOCK_REFUNDS, [paymentId]);
    await tx.pool.query(LOCK_LINES, [paymentId]);
    const { rows } = await tx.pool.query<{ is_recorded: boolean; is_pending: boolean; left_cents: number }>(
      FIND_PAYMENT,
      [paymentId, refund.id],
    );
    const { is_recorded = true, is_pending = false, left_cents = 0 } = rows[0] ?? {};
    if (is_recorded) return 0;
    const rejected = await tx.pool.query<RejectedRefund>(FIND_REJECTED, [paymentId]);
    const repeated = findRepeated(rejected.rows, refund.amountCents, left_cents);
    const rest = refund.amountCents - repeated.reduce((sum, { cents }) => sum + cents, 0);
    if (rest > left_cents && is_pending) return 0;
    const attempts = await tx.pool.query<{ id: string; attempt: number }>(NEXT_ATTEMPT, [
      repeated.flatMap(({ ids }) => ids),
    ]);
    for (const attempt of attempts.rows) await markRefundDone(tx, attempt, refund.id);
    // If that is more than is left, a part was refunded manually as well; the reconciliation reports the difference.
    const inserted = await tx.pool.query(INSERT_REFUNDS, [paymentId, refund.id, rest]);
    return Math.min(1, repeated.length + (inserted.rowCount ?? 0));
  });
}

/** The rejected refunds that one made elsewhere includes: one of the same amount, or those that exceed what is left. */
function findRepeated(rejected: RejectedRefund[], cents: number, leftCents: number): RejectedRefund[] {
  const same = rejected.find((one) => one.cents === cents);
  if (same) return [same];
  let excess = cents - leftCents;
  return rejected.filter((one) => {
    const isIncluded = one.cents <= excess;
    if (isIncluded) excess -= one.cents;
    return isIncluded;
  });
}
