import type { Purchase } from "../../api/entities.ts";
import { actorText } from "../audit-log/actor.ts";
import { inProgress, type RequestKey } from "../idempotency/idempotency-key.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { findProductByName, findProductRow, type ProductRow } from "../products/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import { insertPurchase, keyInUse } from "./insert.ts";
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
 * Places a purchase for `buyer` (specification, sections 2, 5 and 7).
 * Refuses: somebody else's e-mail, an unknown or ambiguous product, a quantity below the minimum or above the
 * stock, a price or total that is not today's (with both values), a total no card payment can carry; with a `key`
 * that has been taken before, `stillRunning`.
 */
export async function placePurchase(
  store: Store,
  buyer: User,
  order: PurchaseOrder,
  key?: RequestKey,
): Promise<Purchase | Refusal> {
  if (order.email !== undefined && order.email !== buyer.email)
    return refuse("forbidden", refusals.emailNotYours);
  const place = placing(store, buyer, order, key);
  const straight = await placeAsSeen(order, place);
  if (straight) return straight;
  const product = await productOf(store, order);
  if (isRefusal(product)) return product;
  const stale = orderProblem(order, product);
  if (stale) return stale;
  const placed = await place(product.id, product.price_cents);
  if (placed) return placed;
  // Somebody bought, edited or deleted the product since it was read: say what is true now.
  const today = await findProductRow(store, product.id);
  if (!today) return refuse("missing", refusals.productGone);
  return (
    orderProblem({ ...order, price: order.price ?? fromCents(product.price_cents) }, today) ??
    // it fits again: nothing was decided, so nothing is kept under a key
    refuse("unavailable", refusals.serverFailed)
  );
}

/**
 * Our own page says which product and at which price: then the statement alone finds out whether that is so.
 * Null where it is not, or not said; the reason is looked for only then.
 */
async function placeAsSeen(order: PurchaseOrder, place: Place): Promise<Purchase | Refusal | null> {
  const { productId, price, total, purchaseQuantity } = order;
  const cents = price === undefined ? null : toCents(price);
  if (!productId || cents === null) return null;
  const due = cents * purchaseQuantity;
  if (total !== undefined && toCents(total) !== due) return null;
  // nor would such a quantity fit into the statement
  if (due < SMALLEST_TOTAL || due > LARGEST_TOTAL) return null;
  return place(productId, cents);
}

/** Null when the product is not, or no more, what it was taken for. */
type Place = (product: string, price_cents: number) => Promise<Purchase | Refusal | null>;

function placing(store: Store, buyer: User, order: PurchaseOrder, key: RequestKey | undefined): Place {
  const { id, name, email } = buyer;
  const { address, phone, purchaseQuantity: pieces } = order;
  const wanted = { pieces, buyer: id, name, email, address, phone, actor: actorText(), ...key };
  return async (product, price_cents) => {
    const row = await insertPurchase(store.pool, { ...wanted, product, price_cents });
    return row === keyInUse ? inProgress : row && toPurchase(row, store.unpaidHoldHours);
  };
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
