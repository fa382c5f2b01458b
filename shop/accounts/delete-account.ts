import { actorSql, actorText } from "../audit-log/actor.ts";
import { cancelAndRestock } from "../orders/cancel.ts";
import { findPurchaseRows } from "../orders/queries.ts";
import { isUnpaid } from "../orders/rules.ts";
import { cancelOpenPayments } from "../payments/cancel-intent.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";
import { LOCK_ADMINS } from "./queries.ts";

export const DELETED_EMAIL_DOMAIN = "@deleted.invalid";

/**
 * An order that may still be shipped keeps its name and address until then (migration 0017). Refuses the only admin,
 * and a payment that cannot be cancelled, before any order is.
 */
export async function deleteAccount(store: Store, user: User): Promise<{ deletedCount: number } | Refusal> {
  if (await isOnlyAdmin(store, user)) return refuse("conflict", refusals.onlyAdmin);
  const refusal = await cancelUnpaidOrders(store, user);
  if (refusal) return refusal;
  const result = await anonymize(store, user);
  return result === "ordered" ? deleteAccount(store, user) : result;
}

/** Cancels all open payments before the first order, so that a refused cancellation keeps every order. */
async function cancelUnpaidOrders(store: Store, user: User): Promise<Refusal | null> {
  const { rows: orders } = await store.pool.query<{ lines: string[] }>(UNPAID_ORDERS, [user.id]);
  const { rows: openPayments } = await store.pool.query<{ id: string }>(
    `SELECT DISTINCT ON (payment_id) purchase_id AS id FROM shop.payment_purchase
     WHERE purchase_id = ANY ($1) AND is_open`,
    [orders.flatMap(({ lines }) => lines)],
  );
  for (const { id } of openPayments) {
    const refusal = await cancelOpenPayments(store, [id]);
    if (refusal && (await hasUnpaid(store, [id]))) return toDeletionRefusal(refusal);
  }
  for (const { lines } of orders) {
    const result = await cancelAndRestock(store, lines, { by: user.id, because: "buyer" });
    if (isRefusal(result) && (await hasUnpaid(store, lines))) return toDeletionRefusal(result);
  }
  return null;
}

const UNPAID_ORDERS = `
SELECT array_agg(id) AS lines FROM shop.purchase
WHERE user_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL GROUP BY order_id`;

async function hasUnpaid(store: Store, ids: string[]): Promise<boolean> {
  const rows = await findPurchaseRows(store, ids);
  return rows.some(isUnpaid);
}

function toDeletionRefusal(refusal: Refusal): Refusal {
  return refusal.refused === "conflict" ? refuse("conflict", paymentRefusals.paymentBeforeLeaving) : refusal;
}

/**
 * Deletions are serialized, so that the last of two admins is refused. Changes nothing if an order was placed since
 * the unpaid ones were cancelled.
 */
function anonymize(store: Store, user: User): Promise<{ deletedCount: number } | Refusal | "ordered"> {
  return inTransaction(store, async (tx) => {
    await tx.pool.query(LOCK_ADMINS);
    await tx.pool.query(LOCK_PURCHASES, [user.id]);
    await tx.pool.query(LOCK_ALERT_PRODUCTS, [user.id, user.email]);
    await tx.pool.query(LOCK_IDENTITY, [user.id]);
    await tx.pool.query(LOCK_USER, [user.id]);
    const unpaid = await tx.pool.query(UNPAID_ORDERS, [user.id]);
    if (unpaid.rows.length > 0) return "ordered";
    const { rowCount } = await tx.pool.query(ANONYMIZE, [
      user.id,
      `${user.id}${DELETED_EMAIL_DOMAIN}`,
      JSON.stringify({
        mail: "securityNotice",
        event: "accountDeleted",
        email: user.email,
        name: user.name,
        at: new Date().toISOString(),
      }),
      actorText(),
      user.email,
    ]);
    if (rowCount === 0 && (await isOnlyAdmin(tx, user))) return refuse("conflict", refusals.onlyAdmin);
    return { deletedCount: rowCount ?? 0 };
  });
}

// waits for concurrent payments and refunds, so that the next statement sees them
const LOCK_PURCHASES = `
SELECT FROM shop.purchase WHERE user_id = $1 AND cancelled_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

// a change of the stock of several products notifies the alerts of one after the other
const LOCK_ALERT_PRODUCTS = `
SELECT FROM shop.product
WHERE id IN (SELECT product_id FROM shop.stock_alert WHERE user_id = $1 OR email = lower($2)) ORDER BY id FOR SHARE`;

// before the user, as a change of the email does (migration 0078)
const LOCK_IDENTITY = 'SELECT FROM identity."user" WHERE id = $1 FOR UPDATE';

// waits for what is being placed or saved, so that the next statement sees it; after the products, as orders do
const LOCK_USER = "SELECT FROM shop.user WHERE id = $1 FOR UPDATE";

const ANOTHER_ADMIN = "EXISTS (SELECT FROM shop.user other WHERE other.role = 'admin' AND other.id <> $1)";

// deleting the identity ends its sessions and access tokens
const ANONYMIZE = `
WITH deleted AS (
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
  FROM deleted WHERE user_id = deleted.id
), reviews AS (
  UPDATE shop.review SET name = 'A former customer' FROM deleted WHERE user_id = deleted.id
), alerts AS (
  DELETE FROM shop.stock_alert USING deleted WHERE user_id = deleted.id OR stock_alert.email = lower($5)
), carts AS (
  DELETE FROM shop.cart USING deleted WHERE user_id = deleted.id
), addresses AS (
  DELETE FROM shop.address USING deleted WHERE user_id = deleted.id
), lists AS (
  DELETE FROM shop.saved_list USING deleted WHERE user_id = deleted.id
), requests AS (
  DELETE FROM shop.request USING deleted WHERE person_id = deleted.id
), verifications AS (
  DELETE FROM identity.verification WHERE value = $1::text
), identity AS (
  DELETE FROM identity."user" u USING deleted WHERE u.id = deleted.id
)
SELECT ${actorSql("$4")}, shop.queue_email($3::json) FROM deleted`;

async function isOnlyAdmin({ pool }: Store, { id }: User): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM shop.user WHERE id = $1 AND role = 'admin' AND NOT ${ANOTHER_ADMIN}`,
    [id],
  );
  return rowCount === 1;
}
