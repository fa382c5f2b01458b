/** What admins do: with orders that are paid, and with what is on sale. */
import fc from "fast-check";
import { expect } from "vitest";
import { refundPurchase } from "../../../shop/payments/refund.ts";
import { deleteProduct } from "../../../shop/products/delete.ts";
import { shipPurchase } from "../../../shop/purchases/ship.ts";
import { afterStep } from "../../../shop/purchases/states.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import { totalOf } from "../model.ts";
import { at, step, withPurchase } from "./step.ts";

export const ship = at.map((n) =>
  withPurchase("ship", n, async (purchase, _model, { store }) => {
    const shipped = await shipPurchase(store, purchase.id);
    const whole = purchase.refundedCents === totalOf(purchase) || purchase.returned;
    const next = whole ? null : afterStep(purchase.state, "ship");
    expect(isRefusal(shipped)).toBe(next === null);
    if (next === null) return;
    purchase.state = next;
    purchase.mails.push("purchaseShipped");
  }),
);

export const refund = fc
  .tuple(at, fc.integer({ min: 1, max: 4000 }), fc.boolean(), fc.boolean())
  .map(([n, asked, whole, back]) =>
    withPurchase(
      `refund ${whole ? "all" : `${asked} cents`}${back ? " with the goods" : ""} twice under one request`,
      n,
      async (purchase, model, { store }) => {
        const request = crypto.randomUUID();
        const form = { reason: "As agreed.", returnToStock: back, ...(!whole && { amount: asked / 100 }) };
        const ask = () => refundPurchase(store, model.admin, purchase.id, form, request);
        const left = totalOf(purchase) - purchase.refundedCents;
        const cents = whole ? left : asked;
        const allowed =
          afterStep(purchase.state, "refund") !== null &&
          left > 0 &&
          cents <= left &&
          !(back && purchase.returned);
        const made = await ask();
        expect(isRefusal(made)).toBe(!allowed);
        if (!allowed) return;
        expect(await ask()).toEqual(made);
        purchase.refundedCents += cents;
        purchase.refunds.push({ of: request, state: "done" });
        purchase.mails.push("refundIssued");
        if (!back) return;
        purchase.returned = true;
        purchase.product.stock += purchase.quantity;
      },
    ),
  );

export const changePrice = fc.tuple(fc.nat(1), fc.integer({ min: 100, max: 2000 })).map(([which, cents]) =>
  step(`change the price of product ${which} to ${cents}`, async ({ products }, { world }) => {
    await world.pool.query("UPDATE shop.product SET price_cents = $2, version = version + 1 WHERE id = $1", [
      products[which]!.id,
      cents,
    ]);
    products[which]!.cents = cents;
  }),
);

export const remove = fc.nat(1).map((which) =>
  step(`delete product ${which}`, async ({ products }, { store }) => {
    const product = products[which]!;
    expect(isRefusal(await deleteProduct(store, product.id))).toBe(product.archived);
    product.archived = true;
  }),
);
