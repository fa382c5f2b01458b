import type { Output } from "../../api/contract.ts";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { listAddresses } from "../address-book/addresses.ts";
import { findCart } from "../cart/cart.ts";
import { toOrderHeader, toPurchase } from "../orders/entity.ts";
import { findShipmentsOfBuyer } from "../orders/shipments.ts";
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
  authentication: { sessionId: string; fresh: boolean },
): Promise<Output<"downloadData">> {
  const { pool } = store;
  const { id } = user;
  const profile = await findUser(store, user.email);
  if (isRefusal(profile)) throw new Error(`User ${id} has no profile.`);
  const purchases = await pool.query<PurchaseRow>(
    "SELECT * FROM shop.purchase WHERE user_id = $1 ORDER BY id",
    [id],
  );
  const reviews = await pool.query<Output<"downloadData">["reviews"][number]>(
    "SELECT id AS _id, name, rating, description FROM shop.review WHERE user_id = $1 ORDER BY id",
    [id],
  );
  const activity = await listActivity(store, user, { limit: 1000 });
  return {
    account: await findAccount(store, user, authentication),
    profile,
    orders: purchases.rows.map((purchase) => ({
      ...toPurchase(purchase, store.unpaidHoldHours),
      ...(purchase.cancelled_at && { cancelledAt: purchase.cancelled_at.toISOString() }),
    })),
    orderHeaders: await listOrderHeaders(store, user),
    reviews: reviews.rows,
    stockAlerts: await listAlerts(store, user),
    cart: (await findCart(store, user)).lines,
    addresses: (await listAddresses(store, user)).addresses,
    savedLists: await exportSavedLists(store, user),
    sessions: await listSessions(store, user, authentication.sessionId),
    passkeys: await listPasskeys(store, user),
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
  return rows.map(({ since, sent, ...alert }) => ({
    ...alert,
    since: since.toISOString(),
    ...(sent && { sentAt: sent.toISOString() }),
  }));
}

async function listOrderHeaders(store: Store, buyer: User): Promise<Output<"downloadData">["orderHeaders"]> {
  const [orders, shipments] = await Promise.all([
    store.pool.query<OrderRow>("SELECT * FROM shop.order WHERE user_id = $1 ORDER BY id", [buyer.id]),
    findShipmentsOfBuyer(store, buyer.id),
  ]);
  return orders.rows.map((order) => ({
    _id: order.id,
    ...toOrderHeader(order),
    placedAt: order.placed_at.toISOString(),
    shipments: shipments.get(order.id) ?? [],
  }));
}
