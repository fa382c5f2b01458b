import type { Handler } from "./call.ts";
import { tokensWithFailingRefunds } from "./cards.ts";
import { readIntent } from "./find-intent.ts";
import type { Db } from "./idempotency.ts";
import { newId } from "./identifiers.ts";
import type { createRefundParams, Params } from "./params.ts";
import { refundJson } from "./render-refund.ts";
import { done, missing, refused, type SandboxResponse } from "./responses.ts";
import type { ChargeRow, RefundRow } from "./rows.ts";

/** `POST /refunds`: `amount` in cents, or the rest. */
export const createRefund: Handler<Params<typeof createRefundParams>> = async ({ db }, params) => {
  const { payment_intent: intentId, amount, reason, metadata } = params;
  const intent = await readIntent(db, intentId);
  if (!intent) return missing("payment_intent", intentId, "payment_intent");
  const { rows } = await db.query<RefundRow>(REFUND, [
    intentId,
    amount ?? null,
    newId("re"),
    reason ?? null,
    metadata ?? {},
    newId("evt"),
    newId("evt"),
    tokensWithFailingRefunds,
  ]);
  return rows[0] ? done(refundJson(rows[0])) : notRefundable(db, intentId, amount);
};

// A disputed payment cannot be refunded as well.
const DISPUTED =
  "EXISTS (SELECT FROM sandbox.dispute WHERE dispute.charge_id = charge.id AND dispute.status <> 'won')";

// The lock makes a concurrent refund wait and then subtract this one.
const REFUND = `
  WITH charge_to_refund AS (
    SELECT id, coalesce($2::integer, amount_cents - amount_refunded_cents) AS cents FROM sandbox.charge
    WHERE payment_intent_id = $1 AND status = 'succeeded' AND NOT ${DISPUTED} FOR UPDATE),
  updated_charge AS (
    UPDATE sandbox.charge SET amount_refunded_cents = amount_refunded_cents + cents FROM charge_to_refund
    WHERE charge.id = charge_to_refund.id AND cents BETWEEN 1 AND amount_cents - amount_refunded_cents
    RETURNING charge.*, cents),
  created_refund AS (
    INSERT INTO sandbox.refund (id, charge_id, payment_intent_id, amount_cents, currency, reason, metadata, comes_back)
    SELECT $3, id, $1, cents, currency, $4, $5, card->>'token' = ANY ($8) FROM updated_charge RETURNING *),
  recorded AS (
    INSERT INTO sandbox.event (id, type, snapshot)
    SELECT $6, 'charge.refunded', to_jsonb(updated_charge) - 'cents' FROM updated_charge
    UNION ALL
    SELECT $7, 'refund.updated', to_jsonb(created_refund) FROM created_refund)
  SELECT * FROM created_refund`;

async function notRefundable(db: Db, intentId: string, amount: number | undefined): Promise<SandboxResponse> {
  const { rows } = await db.query<ChargeRow & { charged_back: boolean }>(
    `SELECT *, ${DISPUTED} AS charged_back FROM sandbox.charge
     WHERE payment_intent_id = $1 AND status = 'succeeded'`,
    [intentId],
  );
  const [charge] = rows;
  if (!charge) {
    return refused(400, {
      message: `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      param: "payment_intent",
    });
  }
  if (charge.charged_back) {
    return refused(400, {
      code: "charge_disputed",
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    });
  }
  const left = charge.amount_cents - charge.amount_refunded_cents;
  if (left === 0) {
    return refused(400, {
      code: "charge_already_refunded",
      message: `Charge ${charge.id} has already been refunded.`,
    });
  }
  const whole = charge.amount_refunded_cents === 0 ? "charge amount" : "unrefunded amount on charge";
  return refused(400, {
    message: `Refund amount (${dollars(amount ?? left)}) is greater than ${whole} (${dollars(left)})`,
    param: "amount",
  });
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
