/** Admin steps: with paid orders, and with products on sale. */
import fc from "fast-check";
import { expect } from "vitest";
import { shipPurchase, undoShipment } from "../../../shop/orders/ship.ts";
import { afterStep } from "../../../shop/orders/states.ts";
import { deleteProduct } from "../../../shop/products/delete.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { type ModelPurchase, required, totalOf } from "../model.ts";
import { at, step, withPurchase } from "./step.ts";

const backdateShipment = (store: Store, { id }: ModelPurchase, interval: string) =>
  store.pool.query(
    `WITH shipment AS (
       UPDATE shop.shipment SET shipped_at = clock_timestamp() - $2::interval
       WHERE id IN (SELECT shipment_id FROM shop.shipment_line WHERE purchase_id = $1)
     )
     UPDATE shop.purchase SET shipped_at = clock_timestamp() - $2::interval,
       paid_at = paid_at - interval '1 hour', placed_at = placed_at - interval '1 hour' WHERE id = $1`,
    [id, interval],
  );

export const ship = fc.tuple(at, fc.boolean()).map(([n, justNow]) =>
  withPurchase(`ship${justNow ? " just now" : ""}`, n, async (purchase, _model, { store }) => {
    const shipped = await shipPurchase(store, purchase.id);
    const whole = purchase.refundedCents === totalOf(purchase) || purchase.returned;
    const next = whole ? null : afterStep(purchase.state, "ship");
    expect(isRefusal(shipped)).toBe(next === null);
    if (next === null) return;
    purchase.state = next;
    purchase.emails.push("purchaseShipped");
    purchase.justShipped = justNow;
    if (!justNow) await backdateShipment(store, purchase, "1 minute");
  }),
);

export const undoShip = at.map((n) =>
  withPurchase(
    "undo the shipment, twice, of",
    n,
    async (purchase, _model, { store }) => {
      if (purchase.justShipped) await backdateShipment(store, purchase, "1 second");
      expect(isRefusal(await undoShipment(store, purchase.id))).toBe(!purchase.justShipped);
      expect(isRefusal(await undoShipment(store, purchase.id))).toBe(true);
      if (!purchase.justShipped) return;
      purchase.justShipped = false;
      purchase.state = "paid";
      purchase.emails = purchase.emails.filter((email) => email !== "purchaseShipped");
    },
    ({ state }) => state === "shipped",
  ),
);

export const refund = fc
  .tuple(at, fc.integer({ min: 1, max: 4000 }), fc.boolean(), fc.boolean())
  .map(([n, requested, whole, returnToStock]) =>
    withPurchase(
      `refund ${whole ? "all" : `${requested} cents`}${returnToStock ? " with the goods" : ""} twice under one request`,
      n,
      async (purchase, model, { store }) => {
        const request = crypto.randomUUID();
        const form = {
          reason: "As agreed.",
          returnToStock: returnToStock,
          ...(!whole && { amount: requested / 100 }),
        };
        const send = () => refundPurchase(store, model.admin, purchase.id, form, request);
        const left = totalOf(purchase) - purchase.refundedCents;
        const cents = whole ? left : requested;
        const allowed =
          afterStep(purchase.state, "refund") !== null &&
          left > 0 &&
          cents <= left &&
          !(returnToStock && (purchase.returned || purchase.justShipped));
        const result = await send();
        expect(isRefusal(result)).toBe(!allowed);
        if (!allowed) return;
        expect(await send()).toEqual(result);
        purchase.refundedCents += cents;
        purchase.refunds.push({ of: request, state: "done" });
        purchase.emails.push("refundIssued");
        if (!returnToStock) return;
        purchase.returned = true;
        purchase.product.stock += purchase.quantity;
      },
    ),
  );

export const changePrice = fc.tuple(fc.nat(1), fc.integer({ min: 100, max: 2000 })).map(([which, cents]) =>
  step(`change the price of product ${which} to ${cents}`, async ({ products }, { fixture }) => {
    await fixture.pool.query(
      "UPDATE shop.product SET price_cents = $2, version = version + 1 WHERE id = $1",
      [required(products[which]).id, cents],
    );
    required(products[which]).cents = cents;
  }),
);

export const remove = fc.nat(1).map((which) =>
  step(`delete product ${which}`, async ({ products }, { store }) => {
    const product = required(products[which]);
    expect(isRefusal(await deleteProduct(store, product.id))).toBe(product.archived);
    product.archived = true;
  }),
);
