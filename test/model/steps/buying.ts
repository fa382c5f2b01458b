/** What buyers do with an order before it is paid, and expiry. */
import fc from "fast-check";
import { expect } from "vitest";
import { cancelPurchase } from "../../../shop/orders/cancel.ts";
import { expireUnpaidPurchases } from "../../../shop/orders/expire.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { sendExpiryReminders } from "../../../shop/orders/remind.ts";
import { afterStep } from "../../../shop/orders/states.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import { cancelUnpaid, type Model, type ModelPurchase, required } from "../model.ts";
import { HOLD_HOURS, type Real } from "../real.ts";
import { at, step, withPurchase } from "./step.ts";

interface Order {
  which: number;
  who: number;
  quantity: number;
  offByCents: number;
}

/** Places a purchase in the model and in the shop, or expects both to refuse it. */
export async function placeOrder(model: Model, { store }: Real, { which, who, quantity, offByCents }: Order) {
  const product = required(model.products[which]);
  const buyer = required(model.buyers[who]);
  const price = (product.cents + offByCents) / 100;
  const form = { address: "Unit 6", phone: "", productId: product.id, purchaseQuantity: quantity, price };
  const placed = await placePurchase(store, buyer, form);
  const inStock = quantity >= product.minimum && quantity <= product.stock;
  expect(isRefusal(placed)).toBe(product.archived || offByCents !== 0 || !inStock);
  if (isRefusal(placed)) return;
  product.stock -= quantity;
  const { _id: id } = placed;
  const fresh = {
    intents: [],
    refundedCents: 0,
    refunds: [],
    returned: false,
    justShipped: false,
    emails: ["purchasePlaced"],
  };
  model.purchases.push({ id, buyer, product, quantity, cents: product.cents, state: "unpaid", ...fresh });
}

export const place = fc
  .record({
    which: fc.nat(1),
    who: fc.nat(1),
    quantity: fc.integer({ min: 1, max: 14 }),
    offByCents: fc.constantFrom(0, 0, 0, 1),
  })
  .map((input) =>
    step(
      `place ${input.quantity} of product ${input.which}${input.offByCents ? " at an old price" : ""}`,
      (model, real) => placeOrder(model, real, input),
    ),
  );

export const cancel = fc.tuple(at, fc.boolean()).map(([n, byAdmin]) =>
  withPurchase(
    `cancel ${byAdmin ? "by an admin" : "by the buyer"}`,
    n,
    async (purchase, model, { store }) => {
      const cancelled = await cancelPurchase(store, byAdmin ? model.admin : purchase.buyer, purchase.id);
      const done =
        afterStep(purchase.state, "cancel") !== null && cancelUnpaid(purchase, "purchaseCancelled");
      expect(isRefusal(cancelled)).toBe(!done);
    },
  ),
);

export const expire = at.map((n) =>
  withPurchase("expire", n, async (purchase, _model, { store }) => {
    await backdate(store.pool, purchase, HOLD_HOURS + 1);
    await expireUnpaidPurchases(store);
    if (afterStep(purchase.state, "expire")) cancelUnpaid(purchase, "purchaseExpired");
  }),
);

export const remind = at.map((n) =>
  withPurchase("send the expiry reminder of", n, async (purchase, _model, { store }) => {
    await backdate(store.pool, purchase, HOLD_HOURS - 1);
    await sendExpiryReminders(store);
    const notified = purchase.emails.includes("purchaseExpiresSoon");
    if (purchase.state === "unpaid" && !notified) purchase.emails.push("purchaseExpiresSoon");
  }),
);

async function backdate(pool: Real["store"]["pool"], { id }: ModelPurchase, hours: number): Promise<void> {
  await pool.query("UPDATE shop.purchase SET placed_at = now() - make_interval(hours => $2) WHERE id = $1", [
    id,
    hours,
  ]);
}
