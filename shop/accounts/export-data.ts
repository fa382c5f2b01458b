import type { Output } from "../../api/contract.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { listAddresses } from "../address-book/addresses.ts";
import { findCart } from "../cart/cart.ts";
import { toPurchase } from "../orders/entity.ts";
import { exportOrders } from "../orders/export-orders.ts";
import { isRefusal } from "../refusal.ts";
import { exportSavedLists } from "../saved-lists/lists.ts";
import type { Store, User } from "../store.ts";
import { listPasskeys } from "./passkeys.ts";
import { findUser } from "./queries.ts";
import { listActivity } from "./security-events.ts";
import { findAccount, listSessions } from "./sessions.ts";

/** Events are limited because failed sign-ins by others add to them. */
export async function exportData(
  store: Store,
  user: User,
  proof: { sessionId: string; fresh: boolean },
): Promise<Output<"downloadData">> {
  const { pool } = store;
  const [
    account,
    sessions,
    passkeys,
    activity,
    profile,
    purchases,
    reviews,
    alerts,
    cart,
    { addresses },
    savedLists,
    orderHeaders,
  ] = await Promise.all([
    findAccount(store, user, proof),
    listSessions(store, user, proof.sessionId),
    listPasskeys(store, user),
    listActivity(store, user, { limit: 1000 }),
    findUser(store, user.email),
    pool.query<PurchaseRow>("SELECT * FROM shop.purchase WHERE user_id = $1 ORDER BY id", [user.id]),
    pool.query<{ id: string; name: string; rating: number; description: string }>(
      "SELECT id, name, rating, description FROM shop.review WHERE user_id = $1 ORDER BY id",
      [user.id],
    ),
    listAlerts(store, user),
    findCart(store, user),
    listAddresses(store, user),
    exportSavedLists(store, user),
    exportOrders(store, user),
  ]);
  if (isRefusal(profile)) throw new Error(`User ${user.id} has no profile.`);
  return {
    account,
    profile,
    orders: purchases.rows.map((purchase) => ({
      ...toPurchase(purchase, store.unpaidHoldHours),
      ...(purchase.cancelled_at && { cancelledAt: purchase.cancelled_at.toISOString() }),
    })),
    orderHeaders,
    reviews: reviews.rows.map(({ id, name, rating, description }) => ({
      _id: id,
      name,
      rating: Number(rating),
      description,
    })),
    stockAlerts: alerts,
    cart: cart.lines,
    addresses,
    savedLists,
    sessions,
    passkeys,
    activity: isRefusal(activity) ? [] : activity.events,
  };
}

async function listAlerts({ pool }: Store, { id, email }: User) {
  const { rows } = await pool.query<{ productId: string; product: string; since: Date; sent: Date | null }>(
    `SELECT product_id AS "productId", product.name AS product, alert.created_at AS since, notified_at AS sent
     FROM shop.stock_alert alert JOIN shop.product ON product.id = product_id
     WHERE user_id = $1 OR email = lower($2) ORDER BY alert.id`,
    [id, email],
  );
  return rows.map(({ since, sent, ...about }) => ({
    ...about,
    since: since.toISOString(),
    ...(sent && { sentAt: sent.toISOString() }),
  }));
}
