/** Each is one conditional statement, so that one of two concurrent ones wins. Null: another state. */

import { cardByToken, type Decline } from "./cards.ts";
import type { Db } from "./idempotency.ts";
import { newId } from "./identifiers.ts";
import { methodJson } from "./render-method.ts";
import { declined, type ErrorBody, type SandboxResponse, withLink } from "./responses.ts";
import type { ChargeRow, IntentRow, IntentStatus, MethodRow } from "./rows.ts";

export interface Step {
  intentId: string;
  method: MethodRow;
  from: IntentStatus[];
}

/** SQL: stores the method, the parameter `$at`, if the intent has changed and the method is new. */
const insertMethodSql = (at: number) => `stored AS (
       INSERT INTO sandbox.payment_method
       SELECT method.* FROM changed, jsonb_populate_record(NULL::sandbox.payment_method, $${at}) AS method
       ON CONFLICT (id) DO NOTHING)`;

// A response to a challenge counts only for the challenged method, not for one that has replaced it.
const IN_EXPECTED_STATE =
  "id = $1 AND status = ANY ($2) AND ($2 <> '{requires_action}'::text[] OR payment_method_id = $3)";

/** Creates one charge of exactly the intent's amount. The payments of some cards are disputed at once. */
export async function payIntent(db: Db, step: Step): Promise<IntentRow | null> {
  return queryIntent(
    db,
    `WITH changed AS (
       UPDATE sandbox.payment_intent SET status = 'succeeded', amount_received_cents = amount_cents,
         payment_method_id = $3, latest_charge_id = $4, last_payment_error = NULL, processing_at = NULL
       WHERE ${IN_EXPECTED_STATE} RETURNING *),
     ${insertMethodSql(11)},
     charged AS (
       INSERT INTO sandbox.charge
         (id, payment_intent_id, payment_method_id, amount_cents, currency, status, card, billing_details)
       SELECT $4, id, $3, amount_cents, currency, 'succeeded', $5, $6 FROM changed),
     disputed AS (
       INSERT INTO sandbox.dispute (id, charge_id, payment_intent_id, amount_cents, currency, reason, status)
       SELECT $8, $4, id, amount_cents, currency, $9, 'needs_response' FROM changed WHERE $9::text IS NOT NULL
       RETURNING *),
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $7, 'payment_intent.succeeded', to_jsonb(changed) FROM changed
       UNION ALL
       SELECT $10, 'charge.dispute.created', to_jsonb(disputed) FROM disputed)
     SELECT * FROM changed`,
    [
      ...parameters(step),
      newId("ch"),
      cardOf(step.method),
      step.method.billing_details,
      newId("evt"),
      newId("dp"),
      cardByToken(step.method.token)?.dispute ?? null,
      newId("evt"),
      step.method,
    ],
    "sandbox-pay-intent",
  );
}

export function requireChallenge(db: Db, step: Step): Promise<IntentRow | null> {
  return moveTo(db, step, "requires_action", "");
}

/** The bank decides later; see `endProcessing`. */
export function processIntent(db: Db, step: Step): Promise<IntentRow | null> {
  return moveTo(db, step, "processing", ", processing_at = now()");
}

function moveTo(
  db: Db,
  step: Step,
  status: IntentStatus,
  moreAssignments: string,
): Promise<IntentRow | null> {
  return queryIntent(
    db,
    `WITH changed AS (
       UPDATE sandbox.payment_intent SET status = $4, payment_method_id = $3, last_payment_error = NULL${moreAssignments}
       WHERE ${IN_EXPECTED_STATE} RETURNING *),
     ${insertMethodSql(6)},
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $5, 'payment_intent.' || $4, to_jsonb(changed) FROM changed)
     SELECT * FROM changed`,
    [...parameters(step), status, newId("evt"), step.method],
  );
}

/** Records a declined charge. `respond` makes the 402 from the intent as the caller may see it. */
export async function declineIntent(
  db: Db,
  step: Step,
  decline: Decline,
): Promise<{ intent: IntentRow; respond: (intent: object) => SandboxResponse } | null> {
  const chargeId = newId("ch");
  const error: ErrorBody = {
    type: "card_error",
    charge: chargeId,
    ...decline,
    payment_method: methodJson(step.method),
  };
  const intent = await queryIntent(
    db,
    `WITH changed AS (
       UPDATE sandbox.payment_intent SET status = 'requires_payment_method', payment_method_id = NULL,
         latest_charge_id = $4, last_payment_error = $5, processing_at = NULL
       WHERE ${IN_EXPECTED_STATE} RETURNING *),
     ${insertMethodSql(12)},
     charged AS (
       INSERT INTO sandbox.charge (id, payment_intent_id, payment_method_id, amount_cents, currency, status,
         card, billing_details, failure_code, failure_message, decline_code)
       SELECT $4, id, $3, amount_cents, currency, 'failed', $6, $7, $8, $9, $10 FROM changed),
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $11, 'payment_intent.payment_failed', to_jsonb(changed) FROM changed)
     SELECT * FROM changed`,
    [
      ...parameters(step),
      chargeId,
      withLink(error),
      cardOf(step.method),
      step.method.billing_details,
      decline.code,
      decline.message,
      decline.decline_code ?? null,
      newId("evt"),
      step.method,
    ],
  );
  return intent && { intent, respond: (shown) => declined({ ...error, payment_intent: shown }) };
}

export async function failChallenge(db: Db, step: Step): Promise<IntentRow | null> {
  const error: ErrorBody = {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    payment_method: methodJson(step.method),
  };
  return queryIntent(
    db,
    `WITH changed AS (
       UPDATE sandbox.payment_intent SET status = 'requires_payment_method', payment_method_id = NULL,
         last_payment_error = $4
       WHERE ${IN_EXPECTED_STATE} RETURNING *),
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $5, 'payment_intent.payment_failed', to_jsonb(changed) FROM changed)
     SELECT * FROM changed`,
    [...parameters(step), withLink(error), newId("evt")],
  );
}

function parameters(step: Step): unknown[] {
  return [step.intentId, step.from, step.method.id];
}

function cardOf({ brand, last4, exp_month, exp_year, token }: MethodRow): ChargeRow["card"] {
  return { brand, last4, exp_month, exp_year, token };
}

async function queryIntent(
  db: Db,
  text: string,
  values: unknown[],
  name?: string,
): Promise<IntentRow | null> {
  const { rows } = await db.query<IntentRow>({ text, values, ...(name && { name }) });
  return rows[0] ?? null;
}
