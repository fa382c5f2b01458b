/** Events outside of the store: the provider and the bank change their decisions, the process restarts. */
import fc from "fast-check";
import { lastIntent, type ModelPurchase, required } from "../model.ts";
import { startStore, succeedAfterCancel } from "../real.ts";
import { at, step, withPurchase } from "./step.ts";

export const providerCancels = at.map((n) =>
  withPurchase(
    "let the provider cancel the open payment of",
    n,
    async (purchase, _model, { fixture }) => {
      const intent = required(lastIntent(purchase));
      await fixture.payments.cancelIntent(intent.id);
      intent.atProvider = "canceled";
    },
    (purchase) => lastIntent(purchase)?.atProvider === "open",
  ),
);

const cancelledOf = ({ intents }: ModelPurchase) =>
  intents.find(({ inStore, atProvider }) => inStore === "cancelled" && atProvider === "canceled");

export const lateSuccess = at.map((n) =>
  withPurchase(
    "let the bank accept a cancelled payment of",
    n,
    async (purchase, _model, real) => {
      const intent = required(cancelledOf(purchase));
      await succeedAfterCancel(real, intent.id);
      intent.atProvider = "succeeded";
    },
    (purchase) => cancelledOf(purchase) !== undefined,
  ),
);

export const restart = fc.constant(null).map(() =>
  step("restart", async (_model, real) => {
    real.store = startStore(real.fixture);
  }),
);
