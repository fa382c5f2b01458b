/** Paying an order, and how the store is notified. */
import fc from "fast-check";
import { expect } from "vitest";
import { confirmPayment } from "../../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import { pollOpenPayments } from "../../../shop/payments/poll.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import { cards } from "../../harness/orders.ts";
import { payByPage } from "../../integration/payments/fixture.ts";
import { lastIntent, recordSuccess, required, syncStatus, totalOf } from "../model.ts";
import { deliverEvent } from "../real.ts";
import { at, step, withPurchase } from "./step.ts";

export const open = at.map((n) =>
  withPurchase("open the payment page of", n, async (purchase, _model, { store }) => {
    const opened = await createPaymentIntent(store, purchase.buyer, {
      total: totalOf(purchase) / 100,
      purchaseId: purchase.id,
    });
    const known = purchase.intents.find(({ inStore }) => inStore === "open");
    if (purchase.state === "unpaid" && known?.atProvider === "succeeded") {
      recordSuccess(purchase, known);
      return expect(opened).toMatchObject({ refused: "conflict" });
    }
    if (purchase.state !== "unpaid") return expect(isRefusal(opened)).toBe(true);
    const { clientSecret } = opened as { clientSecret: string };
    if (known) syncStatus(purchase, known);
    if (known?.inStore === "open") return expect(clientSecret).toBe(known.clientSecret);
    purchase.intents.push({
      id: required(clientSecret.split("_secret_")[0]),
      clientSecret,
      atProvider: "open",
      inStore: "open",
    });
  }),
);

export const confirm = fc
  .tuple(at, fc.constantFrom("good", "good", "good", "declined", "challenge" as const))
  .map(([n, card]) =>
    withPurchase(
      `confirm a ${card} card for`,
      n,
      async (purchase, _model, { fixture }) => {
        const intent = required(lastIntent(purchase));
        const reply = await payByPage(fixture, intent, cards[card]);
        const succeeds = intent.atProvider === "open" && card === "good";
        expect(reply.body.status === "succeeded").toBe(succeeds);
        if (succeeds) intent.atProvider = "succeeded";
      },
      (purchase) => purchase.intents.length > 0,
    ),
  );

export const confirmOrder = at.map((n) =>
  withPurchase(
    "confirm on the payment page of",
    n,
    async (purchase, _model, { store }) => {
      const intent = required(lastIntent(purchase));
      const confirmed = await confirmPayment(store, purchase.buyer, purchase.id, intent.id);
      const [was, before] = [purchase.state, intent.inStore];
      if (was !== "cancelled") recordSuccess(purchase, intent);
      if (intent.inStore !== "succeeded") return expect(isRefusal(confirmed)).toBe(true);
      expect(confirmed).toEqual({ modifiedCount: before === "succeeded" ? 0 : 1, transactionId: intent.id });
    },
    (purchase) => purchase.intents.length > 0,
  ),
);

/** Any earlier event, late, repeated or out of order. */
export const webhook = fc.tuple(at, fc.nat(3), fc.nat(3)).map(([n, whichIntent, whichEvent]) =>
  withPurchase(
    `deliver event ${whichEvent} of intent ${whichIntent} of`,
    n,
    async (purchase, _model, real) => {
      const intent = required(purchase.intents[whichIntent % purchase.intents.length]);
      await deliverEvent(real, intent.id, whichEvent);
      const { rowCount } = await real.fixture.pool.query(
        "SELECT FROM sandbox.event WHERE snapshot->>'id' = $1",
        [intent.id],
      );
      if (rowCount) syncStatus(purchase, intent);
    },
    (purchase) => purchase.intents.length > 0,
  ),
);

export const poll = fc.constant(null).map(() =>
  step("poll", async ({ purchases }, { fixture, store }) => {
    await fixture.pool.query(
      "UPDATE shop.payment SET checked_at = now() - interval '1 minute' WHERE status = 'open'",
    );
    await pollOpenPayments(store, 1000);
    for (const purchase of purchases) {
      for (const intent of purchase.intents.filter(({ inStore }) => inStore === "open")) {
        if (purchase.state !== "unpaid" && intent.atProvider === "open") intent.atProvider = "canceled";
        syncStatus(purchase, intent);
      }
    }
  }),
);
