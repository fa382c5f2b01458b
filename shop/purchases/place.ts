import type { Selectable } from "kysely";
import type { Purchase } from "../../api/entities.ts";
import type { PurchaseTable } from "../../database/schema.ts";
import { actorText, setActor } from "../history/actor.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { findProductByName, findProductRow, type ProductRow } from "../products/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Person, Store } from "../store.ts";
import { toPurchase } from "./entity.ts";
import { LARGEST_TOTAL, quantityProblem, SMALLEST_TOTAL } from "./rules.ts";

/** POST /purchase, parsed. `price` and `total` are what the buyer saw, in dollars. */
export interface PurchaseOrder {
  email?: string | undefined;
  address: string;
  phone: string;
  purchaseQuantity: number;
  productId?: string | undefined;
  productName?: string | undefined;
  picture?: string | undefined;
  price?: number | undefined;
  total?: number | undefined;
}

/**
 * Takes the stock if the minimum is met, the stock is enough and the price is the one that was seen; writes
 * the purchase with the product's own name, picture and price; writes the movement; queues the mail.
 * All of it in one statement: it happens whole or not at all, and two buyers of the last piece queue up here.
 */
export const PLACE = `
WITH product AS (
  UPDATE shop.product SET quantity = quantity - $2
  WHERE id = $1 AND archived_at IS NULL AND minimum_order <= $2 AND quantity >= $2
    AND price_cents = $8 AND price_cents * $2 BETWEEN ${SMALLEST_TOTAL} AND ${LARGEST_TOTAL}
  RETURNING id, name, picture, price_cents, item_number
), purchase AS (
  INSERT INTO shop.purchase (user_id, product_id, name, email, address, phone, product_name, picture, item_number, quantity, price_cents)
  SELECT $3, id, $4, $5, $6, $7, name, picture, item_number, $2, price_cents FROM product
  RETURNING *
), movement AS (
  INSERT INTO shop.stock_movement (product_id, pieces, reason, purchase_id)
  SELECT product_id, -quantity, 'sold', id FROM purchase
)
SELECT purchase.*, ${setActor("$9")}, shop.queue_mail(json_build_object('mail', 'purchasePlaced', 'purchaseId', id)) AS mail_job
FROM purchase`;

/**
 * Places a purchase for `buyer` (specification, sections 2, 5 and 7).
 * Refuses: somebody else's e-mail, an unknown or ambiguous product, a quantity below the minimum or above the
 * stock, a price or total that is not today's (with both values), a total no card payment can carry.
 */
export async function placePurchase(
  store: Store,
  buyer: Person,
  order: PurchaseOrder,
): Promise<Purchase | Refusal> {
  if (order.email !== undefined && order.email !== buyer.email)
    return refuse("forbidden", refusals.emailNotYours);
  const straight = await placeAsSeen(store, buyer, order);
  if (straight) return straight;
  const product = await productOf(store, order);
  if (isRefusal(product)) return product;
  const stale = orderProblem(order, product);
  if (stale) return stale;
  const placed = await place(store, buyer, order, product.id, product.price_cents);
  if (placed) return placed;
  // Somebody bought, edited or deleted the product since it was read: say what is true now.
  const today = await findProductRow(store, product.id);
  if (!today) return refuse("missing", refusals.productGone);
  return (
    orderProblem({ ...order, price: order.price ?? fromCents(product.price_cents) }, today) ??
    refuse("conflict", refusals.serverFailed)
  );
}

/**
 * Our own page says which product and at which price: then the statement alone finds out whether that is so.
 * Null where it is not, or not said; the reason is looked for only then.
 */
async function placeAsSeen(store: Store, buyer: Person, order: PurchaseOrder): Promise<Purchase | null> {
  const { productId, price, total, purchaseQuantity } = order;
  const cents = price === undefined ? null : toCents(price);
  if (!productId || cents === null) return null;
  if (total !== undefined && toCents(total) !== cents * purchaseQuantity) return null;
  return place(store, buyer, order, productId, cents);
}

/** Runs the statement; null when the product is not, or no more, what it was taken for. */
async function place(
  store: Store,
  buyer: Person,
  order: PurchaseOrder,
  productId: string,
  cents: number,
): Promise<Purchase | null> {
  const { rows } = await store.pool.query<Selectable<PurchaseTable>>({
    name: "place-purchase",
    text: PLACE,
    values: [
      productId,
      order.purchaseQuantity,
      buyer.id,
      buyer.name,
      buyer.email,
      order.address,
      order.phone,
      cents,
      actorText(),
    ],
  });
  return rows[0] ? toPurchase(rows[0]) : null;
}

async function productOf(store: Store, order: PurchaseOrder): Promise<ProductRow | Refusal> {
  if (order.productId) {
    return (await findProductRow(store, order.productId)) ?? refuseField("productId", refusals.productGone);
  }
  if (!order.productName) return refuseField("productName", refusals.productUnknown);
  const found = await findProductByName(store, order.productName);
  // namesakes are told apart by what else the buyer saw
  const alike = found.filter(
    (row) =>
      found.length === 1 ||
      ((order.picture === undefined || row.picture === order.picture) &&
        (order.price === undefined || row.price_cents === toCents(order.price))),
  );
  if (alike.length > 1) return refuseField("productName", refusals.productAmbiguous);
  return alike[0] ?? refuseField("productName", refusals.productUnknown);
}

/** Why this order does not fit the product as it is, or null. */
function orderProblem(order: PurchaseOrder, product: ProductRow): Refusal | null {
  const quantity = quantityProblem(order.purchaseQuantity, product);
  if (quantity) return refuseField("purchaseQuantity", quantity);
  const total = product.price_cents * order.purchaseQuantity;
  const current = { price: fromCents(product.price_cents), total: fromCents(total) };
  if (order.price !== undefined && toCents(order.price) !== product.price_cents) {
    return refuse("conflict", refusals.priceChanged(dollars(order.price), formatMoney(product.price_cents)), {
      current,
    });
  }
  if (order.total !== undefined && toCents(order.total) !== total) {
    return refuse("conflict", refusals.totalChanged(dollars(order.total), formatMoney(total)), { current });
  }
  if (total > LARGEST_TOTAL)
    return refuseField("purchaseQuantity", refusals.totalTooHigh(formatMoney(LARGEST_TOTAL)));
  if (total < SMALLEST_TOTAL)
    return refuseField("purchaseQuantity", refusals.totalTooLow(formatMoney(SMALLEST_TOTAL)));
  return null;
}

/** What the buyer sent may be no amount at all; it is shown as it came. */
function dollars(sent: number): string {
  const cents = toCents(sent);
  return cents === null ? `$${sent}` : formatMoney(cents);
}
