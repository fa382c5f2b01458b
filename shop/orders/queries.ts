import type { Purchase } from "../../api/entities.ts";
import { type Page, type PageRequest, readPage } from "../../database/pagination.ts";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { isRefusal, type Refusal, type Result, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import { findTimeline } from "./timeline.ts";

/** Purchases that are not cancelled, newest first; of one buyer if `email` is given. */
export async function listPurchases(
  store: Store,
  page: PageRequest,
  email?: string,
): Promise<Page<Purchase> | Refusal> {
  const ofBuyer = email === undefined ? "" : " AND user_id = (SELECT id FROM shop.user WHERE email = $1)";
  const text = `SELECT * FROM shop.purchase WHERE cancelled_at IS NULL${ofBuyer}`;
  const values = email === undefined ? [] : [email];
  const sorting = { column: "id", descending: true, kind: "uuid" } as const;
  const found = await readPage<PurchaseRow>(store.pool, { text, values }, sorting, page);
  if (!found) return refuseField("cursor", refusals.badCursor);
  return { ...found, rows: found.rows.map((row) => toPurchase(row, store.unpaidHoldHours)) };
}

/** For its buyer or an admin. Refuses other users and missing or cancelled purchases. */
export async function findPurchase(
  store: Store,
  id: string,
  viewer: User,
): Promise<(Purchase & { mine?: true }) | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, viewer);
  if (refusal || !row) return refusal ?? refuse("missing", refusals.purchaseNotFound);
  return { ...toPurchase(row, store.unpaidHoldHours), ...mineOf(row, viewer) };
}

/** Buyers see only their own. */
export function mineOf(row: { user_id: string }, { id, role }: User): { mine?: true } {
  return role === "admin" && row.user_id === id ? { mine: true } : {};
}

export async function findPurchaseWithTimeline(store: Store, id: string, viewer: User): Result<"findOrder"> {
  const found = await findPurchase(store, id, viewer);
  if (isRefusal(found)) return found;
  return { ...found, timeline: await findTimeline(store, id, viewer.role === "admin") };
}

export async function findPurchaseRow({ pool }: Store, id: string): Promise<PurchaseRow | undefined> {
  const { rows } = await pool.query<PurchaseRow>("SELECT * FROM shop.purchase WHERE id = $1", [id]);
  return rows[0];
}

export async function findPurchaseRows({ pool }: Store, ids: string[]): Promise<PurchaseRow[]> {
  const { rows } = await pool.query<PurchaseRow>("SELECT * FROM shop.purchase WHERE id = ANY ($1)", [ids]);
  return rows;
}

export async function findLines({ pool }: Store, orderId: string): Promise<PurchaseRow[]> {
  const { rows } = await pool.query<PurchaseRow>(
    "SELECT * FROM shop.purchase WHERE order_id = $1 ORDER BY line_number",
    [orderId],
  );
  return rows;
}

export async function findOrderRow({ pool }: Store, id: string): Promise<OrderRow | undefined> {
  const isNumber = /^\d+$/.test(id);
  const { rows } = await pool.query<OrderRow>(
    isNumber
      ? "SELECT * FROM shop.order o WHERE o.number = $1"
      : "SELECT * FROM shop.order o WHERE o.id = $1 OR o.id = (SELECT order_id FROM shop.purchase WHERE id = $1)",
    [id],
  );
  return rows[0];
}

/** For its buyer or an admin; `id` as in `findOrderRow`. */
export async function findOrderFor(store: Store, id: string, user: User): Promise<OrderRow | Refusal> {
  const order = await findOrderRow(store, id);
  if (!order) return refuse("missing", orderRefusals.orderNotFound);
  if (order.user_id === user.id || user.role === "admin") return order;
  return refuse("forbidden", orderRefusals.orderNotYours);
}

/** Why `user` may not access this purchase, or null. Admins may access any unless `onlyBuyer`. */
export function purchaseRefusal(
  row: { user_id: string; cancelled_at: unknown } | undefined,
  user: User,
  onlyBuyer = false,
): Refusal | null {
  if (!row || (row.cancelled_at && (row.user_id === user.id || user.role === "admin"))) {
    return refuse("missing", refusals.purchaseNotFound);
  }
  if (row.user_id === user.id || (user.role === "admin" && !onlyBuyer)) return null;
  return refuse("forbidden", refusals.notYours);
}
