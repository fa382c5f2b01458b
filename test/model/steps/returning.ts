/** Refunds that the bank rejects, and how an admin resolves them. */

import { failRefunds } from "@stator/stripe-sandbox/fail-refunds";
import { expect } from "vitest";
import { handlePaymentEvent } from "../../../shop/payments/webhook.ts";
import { recordManualRefund, retryRefund } from "../../../shop/refunds/resolve-failed.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import { type ModelPurchase, type ModelRefund, required } from "../model.ts";
import type { Real } from "../real.ts";
import { at, withPurchase } from "./step.ts";

const refundIn = ({ refunds }: ModelPurchase, state: ModelRefund["state"]) =>
  refunds.find((one) => one.state === state);

async function rowOf({ fixture }: Real, { of }: ModelRefund) {
  const { rows } = await fixture.pool.query<{ id: string; payment_id: string; provider_id: string }>(
    "SELECT id, payment_id, provider_id FROM shop.refund WHERE id::text = $1 OR (payment_id = $1 AND origin = 'late')",
    [of],
  );
  return required(rows[0]);
}

/** Sets the state of a refund, and of the late payment that it refunds. */
function setRefundState(
  purchase: ModelPurchase,
  refund: ModelRefund,
  state: ModelRefund["state"],
  email: string,
): void {
  refund.state = state;
  purchase.emails.push(email);
  const late = purchase.intents.find(({ id }) => id === refund.of);
  if (late) late.inStore = state === "failed" ? "refund_due" : "refunded";
}

export const bankRejects = at.map((n) =>
  withPurchase(
    "let the bank reject a refund, with a repeated event, of",
    n,
    async (purchase, _model, real) => {
      const refund = required(refundIn(purchase, "done"));
      const { payment_id, provider_id } = await rowOf(real, refund);
      await real.fixture.pool.query("UPDATE sandbox.refund SET comes_back = true WHERE id = $1", [
        provider_id,
      ]);
      await failRefunds(real.fixture.pool, 0);
      const event = { type: "refund.failed" };
      for (let times = 0; times < 2; times += 1)
        await handlePaymentEvent(real.store, { ...event, intentId: payment_id });
      setRefundState(purchase, refund, "failed", "refundReturned");
    },
    (purchase) => refundIn(purchase, "done") !== undefined,
  ),
);

export const retry = at.map((n) =>
  withPurchase(
    "retry a failed refund, twice, of",
    n,
    async (purchase, _model, real) => {
      const refund = required(refundIn(purchase, "failed"));
      const { id } = await rowOf(real, refund);
      for (let pressed = 0; pressed < 2; pressed += 1)
        expect(await retryRefund(real.store, id)).toEqual({ state: "done" });
      setRefundState(purchase, refund, "done", "refundIssued");
    },
    (purchase) => refundIn(purchase, "failed") !== undefined,
  ),
);

export const recordManually = at.map((n) =>
  withPurchase(
    "record a manual refund, twice, of",
    n,
    async (purchase, _model, real) => {
      const refund = required(refundIn(purchase, "failed"));
      const { id } = await rowOf(real, refund);
      expect(await recordManualRefund(real.store, id, "Bank transfer.")).toBeNull();
      expect(isRefusal(await recordManualRefund(real.store, id, "Bank transfer."))).toBe(true);
      setRefundState(purchase, refund, "settled", "refundSettled");
    },
    (purchase) => refundIn(purchase, "failed") !== undefined,
  ),
);
