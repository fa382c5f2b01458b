import type { Selectable } from "kysely";
import type { Purchase } from "../../api/entities.ts";
import type { OrderEvent } from "../../api/order-calls.ts";
import { idCursor, type Page, type PageOf, toPage } from "../../database/page.ts";
import type { PurchaseTable } from "../../database/schema.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import { findTimeline } from "./timeline.ts";

/** Purchases that were not cancelled, newest first; of one buyer where `email` is given. */
export async function listPurchases(
  store: Store,
  page: Page,
  email?: string,
): Promise<PageOf<Purchase> | Refusal> {
  let query = store.database
    .selectFrom("shop.purchase")
    .selectAll()
    .where("cancelled_at", "is", null)
    .orderBy("id", "desc")
    .limit(page.limit + 1);
  if (email !== undefined) {
    query = query.where("user_id", "=", (eb) =>
      eb.selectFrom("shop.user").select("id").where("email", "=", email),
    );
  }
  if (page.cursor !== undefined) {
    const after = idCursor(page.cursor);
    if (!after) return refuseField("cursor", refusals.badCursor);
    query = query.where("id", "<", after);
  }
  const rows = await query.execute();
  const purchases = rows.map((row) => toPurchase(row, store.unpaidHoldHours));
  return toPage(purchases, page.limit, (purchase) => purchase._id);
}

/** One purchase, for its buyer or an admin; refuses others and what is not there (or was cancelled). */
export async function findPurchase(store: Store, id: string, viewer: User): Promise<Purchase | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, viewer);
  return refusal ?? toPurchase(row as PurchaseRow, store.unpaidHoldHours);
}

/** One purchase with what became of it, for its buyer or an admin; refuses as `findPurchase` does. */
export async function findOrder(
  store: Store,
  id: string,
  viewer: User,
): Promise<(Purchase & { timeline: OrderEvent[] }) | Refusal> {
  const row = await findPurchaseRow(store, id);
  const refusal = purchaseRefusal(row, viewer);
  if (refusal) return refusal;
  return {
    ...toPurchase(row as PurchaseRow, store.unpaidHoldHours),
    timeline: await findTimeline(store, id, viewer.role === "admin"),
  };
}

export type PurchaseRow = Selectable<PurchaseTable>;

/** The row itself, cancelled or not. */
export function findPurchaseRow(store: Store, id: string): Promise<PurchaseRow | undefined> {
  return store.database.selectFrom("shop.purchase").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Why `person` may not have this purchase, or null. An admin may have any unless `onlyBuyer`. */
export function purchaseRefusal(
  row: PurchaseRow | undefined,
  person: User,
  onlyBuyer = false,
): Refusal | null {
  if (!row || (row.cancelled_at && (row.user_id === person.id || person.role === "admin"))) {
    return refuse("missing", refusals.purchaseNotFound);
  }
  if (row.user_id === person.id || (person.role === "admin" && !onlyBuyer)) return null;
  return refuse("forbidden", refusals.notYours);
}
