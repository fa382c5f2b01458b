import type { Purchase } from "../../api/entities.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { actorText } from "../audit-log/actor.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { multipleProblem, unitPriceCents } from "../pricing/rules.ts";
import { findProductByName } from "../products/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { messages } from "../texts/specification.ts";
import { toPurchase } from "./entity.ts";
import { LARGEST_TOTAL, SMALLEST_TOTAL } from "./rules.ts";

/** POST /purchase, parsed. `price` and `total` are what the buyer saw, in dollars. */
export interface OrderLine {
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

/** Takes the stock, inserts the purchase and its stock movement and queues the email (migration 0040). */
export const PLACE = `
SELECT reason, current_price_cents, current_stock, current_minimum, current_multiple,
  (purchase).*
FROM shop.place_order_line($1::jsonb, ${SMALLEST_TOTAL}, ${LARGEST_TOTAL})`;

type Reason =
  | "product_gone"
  | "below_minimum"
  | "above_stock"
  | "not_a_multiple"
  | "price_changed"
  | "total_changed"
  | "total_too_high"
  | "total_too_low";

interface Mismatch {
  reason: Reason;
  current_price_cents: number;
  current_stock: number;
  current_minimum: number;
  current_multiple: number;
}

type Placed = PurchaseRow & { reason: null };

/**
 * Places an order for `buyer` (specification, sections 2, 5 and 7).
 * Refuses: another user's email, an unknown or ambiguous product, a quantity below the minimum or above the stock, a
 * price or total that is not the current one (with both values), a total that no card payment can carry.
 */
export async function placeOrder(store: Store, buyer: User, order: OrderLine): Promise<Purchase | Refusal> {
  if (order.email !== undefined && order.email !== buyer.email)
    return refuse("forbidden", refusals.emailNotYours);
  const product = order.productId ?? (await findProductId(store, order));
  if (isRefusal(product)) return product;
  const line = {
    product,
    quantity: order.purchaseQuantity,
    price_cents: centsSeen(order.price),
    total_cents: centsSeen(order.total),
    buyer: buyer.id,
    name: buyer.name,
    email: buyer.email,
    address: order.address,
    phone: order.phone,
    actor: actorText(),
  };
  const { rows } = await store.pool.query<Placed | Mismatch>({
    name: "place-order-line",
    text: PLACE,
    values: [JSON.stringify(line)],
  });
  const row = rows[0] as Placed | Mismatch;
  return row.reason === null ? toPurchase(row, store.unpaidHoldHours) : explainMismatch(order, row);
}

/** Null if not stated; what is not an amount of money becomes a number that no price equals. */
function centsSeen(dollars: number | undefined): number | null {
  return dollars === undefined ? null : (toCents(dollars) ?? -1);
}

/** Products of the same name are distinguished by what else the buyer saw. */
async function findProductId(store: Store, order: OrderLine): Promise<string | Refusal> {
  if (!order.productName) return refuseField("productName", refusals.productUnknown);
  const found = await findProductByName(store, order.productName);
  const matching = found.filter(
    (row) =>
      found.length === 1 ||
      ((order.picture === undefined || row.picture === order.picture) &&
        (order.price === undefined || unitPriceCents(row, order.purchaseQuantity) === toCents(order.price))),
  );
  if (matching.length > 1) return refuseField("productName", refusals.productAmbiguous);
  return matching[0]?.id ?? refuseField("productName", refusals.productUnknown);
}

/** The refusal for a line that does not fit the product as it is now. */
function explainMismatch(order: OrderLine, mismatch: Mismatch): Refusal {
  const { reason, current_price_cents: price, current_stock, current_minimum, current_multiple } = mismatch;
  if (reason === "product_gone")
    return refuseField(order.productId ? "productId" : "productName", refusals.productGone);
  if (reason === "below_minimum")
    return refuseField("purchaseQuantity", messages.purchase.belowMinimum(current_minimum));
  if (reason === "above_stock")
    return refuseField("purchaseQuantity", messages.purchase.aboveStock(current_stock));
  if (reason === "not_a_multiple")
    return refuseField(
      "purchaseQuantity",
      multipleProblem(order.purchaseQuantity, {
        minimum_order: current_minimum,
        order_multiple: current_multiple,
        quantity: current_stock,
      }) as string,
    );
  if (reason === "total_too_high")
    return refuseField("purchaseQuantity", refusals.totalTooHigh(formatMoney(LARGEST_TOTAL)));
  if (reason === "total_too_low")
    return refuseField("purchaseQuantity", refusals.totalTooLow(formatMoney(SMALLEST_TOTAL)));
  const total = price * order.purchaseQuantity;
  return refuse(
    "conflict",
    reason === "price_changed"
      ? refusals.priceChanged(formatSent(order.price as number), formatMoney(price))
      : refusals.totalChanged(formatSent(order.total as number), formatMoney(total)),
    { current: { price: fromCents(price), total: fromCents(total) } },
  );
}

/** A sent number that is not an amount of money is shown as it is. */
function formatSent(dollars: number): string {
  const cents = toCents(dollars);
  return cents === null ? `$${dollars}` : formatMoney(cents);
}
