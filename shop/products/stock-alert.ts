/** One email when a product is back in stock (decision 27), queued by the change of stock (migration 0023). */
import type { Output } from "../../api/contract.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";

type AlertState = Output<"addStockAlert">;

// The lock makes a concurrent restock see the new alert, or this statement see the restock.
const LOCK_PRODUCT = `
SELECT quantity >= minimum_order AS orderable FROM shop.product WHERE id = $1 AND archived_at IS NULL FOR SHARE`;

/**
 * A user with a confirmed email is added at once; any other gets a confirmation link, like a visitor. The account
 * stays locked until the end, so that concurrent requests count each other's links.
 */
export function addStockAlert(store: Store, user: User, productId: string): Promise<AlertState | Refusal> {
  return inTransaction(store, async (tx) => {
    const { rows } = await tx.pool.query<{ orderable: boolean; confirmed: boolean | null }>(
      `WITH product AS MATERIALIZED (${LOCK_PRODUCT}), account AS (
         SELECT (SELECT "emailVerified" FROM identity."user" WHERE id = $2 FOR NO KEY UPDATE) AS confirmed
       ), added AS (
         INSERT INTO shop.stock_alert (product_id, user_id, confirmed_at)
         SELECT $1, $2, now() FROM product, account WHERE NOT orderable AND confirmed
         ON CONFLICT (product_id, user_id) WHERE notified_at IS NULL DO NOTHING
       ) SELECT orderable, confirmed FROM product, account`,
      [productId, user.id],
    );
    const [product] = rows;
    if (!product) return refuse("missing", refusals.productNotFound);
    if (product.orderable) return { alert: "orderable" };
    // the account was deleted meanwhile
    if (product.confirmed === null) return refuse("missing", refusals.userNotFound);
    return product.confirmed ? { alert: "waiting" } : askForStockAlert(tx, productId, user.email);
  });
}

/** Unconfirmed links in an hour to one email address, which may be somebody else's. */
const MAX_LINKS = 5;

/**
 * Sends a visitor a link that confirms the email address, again after ten minutes at the earliest; the response does
 * not reveal whether there is an alert.
 */
export async function askForStockAlert(
  store: Store,
  productId: string,
  email: string,
): Promise<AlertState | Refusal> {
  const { rows } = await store.pool.query<{ orderable: boolean; is_full: boolean }>(
    `WITH product AS MATERIALIZED (${LOCK_PRODUCT}), sent AS (
       SELECT count(*) >= ${MAX_LINKS} AS is_full FROM shop.stock_alert
       WHERE email = lower($2) AND confirmed_at IS NULL AND created_at > now() - interval '1 hour'
     ), added AS (
       INSERT INTO shop.stock_alert AS existing (product_id, email)
       SELECT $1, lower($2) FROM product, sent WHERE NOT orderable AND NOT sent.is_full
       ON CONFLICT (product_id, email) WHERE notified_at IS NULL
         DO UPDATE SET created_at = now()
         WHERE existing.confirmed_at IS NULL AND existing.created_at < now() - interval '10 minutes'
       RETURNING id
     ), queued AS (
       SELECT shop.queue_email(json_build_object('mail', 'confirmStockAlert', 'alertId', id))
       FROM added
     ) SELECT orderable, sent.is_full, (SELECT count(*) FROM queued) FROM product, sent`,
    [productId, email],
  );
  const [product] = rows;
  if (!product) return refuse("missing", refusals.productNotFound);
  if (product.orderable) return { alert: "orderable" };
  return product.is_full ? refuse("conflict", refusals.tooManyLinks) : { alert: "confirm" };
}

export async function findStockAlert(
  store: Store,
  user: User,
  productId: string,
): Promise<{ waiting: boolean }> {
  const { rowCount } = await store.pool.query(
    "SELECT FROM shop.stock_alert WHERE product_id = $1 AND user_id = $2 AND notified_at IS NULL",
    [productId, user.id],
  );
  return { waiting: rowCount === 1 };
}

export async function removeStockAlert(
  store: Store,
  user: User,
  productId: string,
): Promise<{ deletedCount: number }> {
  const { rowCount } = await store.pool.query(
    "DELETE FROM shop.stock_alert WHERE product_id = $1 AND user_id = $2 AND notified_at IS NULL",
    [productId, user.id],
  );
  return { deletedCount: rowCount ?? 0 };
}

type LinkOutcome = { done: "confirmed" | "stopped" | "gone" } | { done: "orderable"; productId: string };

/** An alert whose product is back in stock meanwhile is no longer needed; one whose email was sent has ended. */
export async function confirmStockAlert(store: Store, token: string): Promise<LinkOutcome> {
  const { rows } = await store.pool.query<{ product_id: string; orderable: boolean; confirmed: boolean }>(
    `WITH product AS MATERIALIZED (
       SELECT product.id, product.quantity >= product.minimum_order AS orderable
       FROM shop.product WHERE id = (SELECT product_id FROM shop.stock_alert WHERE token = $1)
         AND archived_at IS NULL FOR SHARE
     ), removed AS (
       DELETE FROM shop.stock_alert USING product WHERE token = $1 AND orderable AND notified_at IS NULL
     ), confirmed AS (
       UPDATE shop.stock_alert SET confirmed_at = coalesce(confirmed_at, now())
       FROM product WHERE token = $1 AND NOT orderable AND notified_at IS NULL RETURNING stock_alert.id
     ) SELECT product.id AS product_id, orderable, EXISTS (SELECT FROM confirmed) AS confirmed FROM product`,
    [token],
  );
  const [product] = rows;
  if (product?.orderable) return { done: "orderable", productId: product.product_id };
  return { done: product?.confirmed ? "confirmed" : "gone" };
}

/**
 * Ends all alerts of the user or the recipient of this email. Locks their products as orders and imports do, since a
 * change of the stock of several notifies one after the other.
 */
export async function stopStockAlerts(store: Store, token: string): Promise<LinkOutcome> {
  const { rowCount } = await store.pool.query(
    `WITH matching AS MATERIALIZED (
       SELECT stock_alert.id, stock_alert.product_id FROM shop.stock_alert JOIN shop.stock_alert sent
         ON sent.id = stock_alert.id OR sent.user_id = stock_alert.user_id OR sent.email = stock_alert.email
       WHERE sent.token = $1
     ), locked AS MATERIALIZED (
       SELECT id FROM shop.product WHERE id IN (SELECT product_id FROM matching) ORDER BY id FOR SHARE
     ) DELETE FROM shop.stock_alert USING matching
     WHERE stock_alert.id = matching.id AND (token = $1 OR notified_at IS NULL)
       AND (SELECT count(*) FROM locked) > 0`,
    [token],
  );
  return { done: rowCount ? "stopped" : "gone" };
}

/** Deletes unconfirmed alerts, those sent a month ago, and those of products that are no longer sold. */
export async function deleteOldAlerts({ pool }: Pick<Store, "pool">): Promise<void> {
  await pool.query(
    `DELETE FROM shop.stock_alert WHERE id IN (
       SELECT id FROM shop.stock_alert WHERE (confirmed_at IS NULL AND created_at < now() - interval '1 day')
         OR notified_at < now() - interval '30 days'
         OR EXISTS (SELECT FROM shop.product WHERE id = product_id AND archived_at IS NOT NULL)
       FOR UPDATE SKIP LOCKED)`,
  );
}
