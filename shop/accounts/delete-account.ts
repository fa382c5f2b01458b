import { actorSql, actorText } from "../audit-log/actor.ts";
import { cancelAndRestock } from "../orders/cancel.ts";
import { findPurchaseRow } from "../orders/queries.ts";
import { cancelOpenPayment } from "../payments/cancel-intent.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";

/** What stands in place of an address that is no longer known; no mail goes there. */
export const DELETED_EMAIL_DOMAIN = "@deleted.invalid";

// any number that nothing else in this database locks
const DELETION_LOCK = 7_128_643;

/**
 * Deletes an account: unpaid purchases are cancelled, the others stay in the books without the person, reviews
 * stay without the name. What may still be sent keeps name and address until it is sent, given back or cancelled
 * (migration 0017). The owner is told by mail. Refuses the only admin, and who has a payment that cannot be cancelled:
 * a bank is still at work on it, or the card provider cannot be reached. Every purchase is kept then; only where a
 * payment is opened, or another admin leaves, in the same moment, some may be cancelled already.
 */
export async function deleteAccount(store: Store, person: User): Promise<{ deletedCount: number } | Refusal> {
  if (await isOnlyAdmin(store, person)) return refuse("conflict", refusals.onlyAdmin);
  const refusal = await cancelUnpaidOrders(store, person);
  return refusal ?? anonymize(store, person);
}

/** All open payments are cancelled before the first purchase is, so that a refusal of one keeps every purchase. */
async function cancelUnpaidOrders(store: Store, person: User): Promise<Refusal | null> {
  const { rows: unpaid } = await store.pool.query<{ id: string }>(
    "SELECT id FROM shop.purchase WHERE user_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL",
    [person.id],
  );
  for (const { id } of unpaid) {
    const refusal = await cancelOpenPayment(store, id);
    if (refusal && (await isUnpaid(store, id))) return pendingAccountProblem(refusal);
  }
  for (const { id } of unpaid) {
    const result = await cancelAndRestock(store, id, { by: person.id, because: "buyer" });
    if (isRefusal(result) && (await isUnpaid(store, id))) return pendingAccountProblem(result);
  }
  return null;
}

/** One that was paid or withdrawn in the meantime is in nobody's way. */
async function isUnpaid(store: Store, id: string): Promise<boolean> {
  const row = await findPurchaseRow(store, id);
  return row?.status === "unpaid" && !row.cancelled_at;
}

/** Who leaves has not asked for a single order, so that a conflict about one is told in other words. */
function pendingAccountProblem(refusal: Refusal): Refusal {
  return refusal.refused === "conflict" ? refuse("conflict", paymentRefusals.paymentBeforeLeaving) : refusal;
}

/** People leave one after another: of two admins the second one sees that the first is gone. */
function anonymize(store: Store, person: User): Promise<{ deletedCount: number } | Refusal> {
  return inTransaction(store, async (leaving) => {
    await leaving.pool.query("SELECT pg_advisory_xact_lock($1)", [DELETION_LOCK]);
    await leaving.pool.query(HOLD, [person.id]);
    const { rowCount } = await leaving.pool.query(ANONYMIZE, [
      person.id,
      `${person.id}${DELETED_EMAIL_DOMAIN}`,
      JSON.stringify({
        mail: "securityNotice",
        event: "accountDeleted",
        email: person.email,
        name: person.name,
        at: new Date().toISOString(),
      }),
      actorText(),
      person.email,
    ]);
    if (rowCount === 0 && (await isOnlyAdmin(leaving, person))) return refuse("conflict", refusals.onlyAdmin);
    return { deletedCount: rowCount ?? 0 };
  });
}

// What is paid or given back in this moment is waited for, and seen by the statement that follows.
const HOLD = `
SELECT FROM shop.purchase WHERE user_id = $1 AND cancelled_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

// Beside the user $1.
const ANOTHER_ADMIN = "EXISTS (SELECT FROM shop.user other WHERE other.role = 'admin' AND other.id <> $1)";

// One statement: all of it or nothing. Deleting the identity ends its sessions and every token.
const ANONYMIZE = `
WITH gone AS (
  UPDATE shop.user SET email = $2, name = 'Deleted account', role = 'user', education = NULL, location = NULL,
    phone = NULL, linkedin = NULL, deleted_at = now()
  WHERE id = $1 AND deleted_at IS NULL
    AND (role <> 'admin' OR ${ANOTHER_ADMIN})
  RETURNING id
), purchases AS (
  UPDATE shop.purchase SET email = $2,
    name = CASE WHEN shop.may_be_sent(purchase) THEN purchase.name ELSE 'Deleted account' END,
    address = CASE WHEN shop.may_be_sent(purchase) THEN purchase.address ELSE 'Deleted' END,
    phone = CASE WHEN shop.may_be_sent(purchase) THEN purchase.phone ELSE '' END
  FROM gone WHERE user_id = gone.id
), reviews AS (
  UPDATE shop.review SET name = 'A former customer' FROM gone WHERE user_id = gone.id
), alerts AS (
  DELETE FROM shop.stock_alert USING gone WHERE user_id = gone.id OR stock_alert.email = lower($5)
), requests AS (
  DELETE FROM shop.request USING gone WHERE person_id = gone.id
), waiting AS (
  DELETE FROM identity.verification WHERE value = $1::text
), identity AS (
  DELETE FROM identity."user" u USING gone WHERE u.id = gone.id
)
SELECT ${actorSql("$4")}, shop.queue_email($3::json) FROM gone`;

async function isOnlyAdmin({ pool }: Store, { id }: User): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM shop.user WHERE id = $1 AND role = 'admin' AND NOT ${ANOTHER_ADMIN}`,
    [id],
  );
  return rowCount === 1;
}
