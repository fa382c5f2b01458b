/** Events outside of the shop: the provider and the bank change their decisions, the process ends. */
import fc from "fast-check";
import { existing, lastIntent, type ModelPurchase } from "../model.ts";
import { startStore, succeedAfterAll } from "../real.ts";
import { at, step, withPurchase } from "./step.ts";

export const processorCancels = at.map((n) =>
  withPurchase(
    "let the processor cancel the open payment of",
    n,
    async (purchase, _model, { fixture }) => {
      const intent = existing(lastIntent(purchase));
      await fixture.payments.cancelIntent(intent.id);
      intent.there = "canceled";
    },
    (purchase) => lastIntent(purchase)?.there === "open",
  ),
);

const cancelledOf = ({ intents }: ModelPurchase) =>
  intents.find(({ here, there }) => here === "cancelled" && there === "canceled");

export const lateYes = at.map((n) =>
  withPurchase(
    "let the bank say yes after all to a cancelled payment of",
    n,
    async (purchase, _model, real) => {
      const intent = existing(cancelledOf(purchase));
      await succeedAfterAll(real, intent.id);
      intent.there = "succeeded";
    },
    (purchase) => cancelledOf(purchase) !== undefined,
  ),
);

export const restart = fc.constant(null).map(() =>
  step("restart", async (_model, real) => {
    real.store = startStore(real.fixture);
  }),
);
