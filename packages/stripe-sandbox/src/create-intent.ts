/** `POST /payment_intents` and `POST /payment_intents/:id`. */

import { type Handler, readParams } from "./call.ts";
import { confirmWith } from "./confirm-intent.ts";
import { readIntent, respondWithIntent } from "./find-intent.ts";
import type { Form } from "./form.ts";
import type { Insert } from "./idempotency.ts";
import { newId, randomText } from "./identifiers.ts";
import { saveMethod } from "./methods.ts";
import { createIntentParams, type Params, type updateIntentParams } from "./params.ts";
import { intentJson } from "./render-intent.ts";
import { done, missing, type SandboxResponse, wrongState } from "./responses.ts";
import type { IntentRow } from "./rows.ts";

export const createIntent: Handler<Params<typeof createIntentParams>> = async (call, params) => {
  const resolved = await saveMethod(call.db, params);
  if (resolved && "refusal" in resolved) return resolved.refusal;
  const intent = newIntent(params, resolved?.method.id ?? null);
  await call.db.query(
    "INSERT INTO sandbox.payment_intent SELECT * FROM jsonb_populate_record(NULL::sandbox.payment_intent, $1)",
    [intent],
  );
  return params.confirm
    ? confirmWith(call, intent, resolved?.method, params.expand)
    : respondWithIntent(call, intent, params.expand);
};

export function insertIntent(form: Form): Insert | null {
  const parsed = readParams(createIntentParams, form);
  if ("refusal" in parsed) return null;
  const { payment_method, payment_method_data, confirm, expand, ...params } = parsed.value;
  if (payment_method !== undefined || payment_method_data || confirm || expand?.length) return null;
  const intent = newIntent(params, null);
  return { table: "sandbox.payment_intent", row: intent, response: done(intentJson(intent)) };
}

type NewIntent = Pick<
  Params<typeof createIntentParams>,
  "amount" | "currency" | "description" | "receipt_email" | "metadata"
>;

function newIntent(params: NewIntent, methodId: string | null): IntentRow {
  const id = newId("pi");
  return {
    id,
    client_secret: `${id}_secret_${randomText(25)}`,
    amount_cents: params.amount,
    amount_received_cents: 0,
    currency: params.currency,
    status: methodId ? "requires_confirmation" : "requires_payment_method",
    payment_method_id: methodId,
    latest_charge_id: null,
    last_payment_error: null,
    description: params.description || null,
    receipt_email: params.receipt_email || null,
    metadata: withoutEmpty(params.metadata ?? {}),
    cancellation_reason: null,
    canceled_at: null,
    processing_at: null,
    created_at: new Date(),
  };
}

/** Changes amount, metadata, description or method. The amount is fixed once the buyer has confirmed it. */
export const updateIntent: Handler<Params<typeof updateIntentParams>> = async (call, params) => {
  const { db, id } = call;
  const before = await readIntent(db, id);
  if (!before) return missing("payment_intent", id, "intent");
  const resolved = await saveMethod(call.db, params);
  if (resolved && "refusal" in resolved) return resolved.refusal;
  const changesPayment = params.amount !== undefined || resolved !== null;
  const { rows } = await db.query<IntentRow>(
    `UPDATE sandbox.payment_intent SET
       amount_cents = coalesce($2, amount_cents),
       payment_method_id = coalesce($3, payment_method_id),
       status = CASE WHEN $3::text IS NULL THEN status ELSE 'requires_confirmation' END,
       description = coalesce($4, description),
       receipt_email = coalesce($5, receipt_email),
       metadata = CASE WHEN $6::jsonb IS NULL THEN '{}' ELSE metadata - $7::text[] || $6 END
     WHERE id = $1 AND (NOT $8 OR status IN ('requires_payment_method', 'requires_confirmation')) RETURNING *`,
    [
      id,
      params.amount ?? null,
      resolved?.method.id ?? null,
      params.description ?? null,
      params.receipt_email ?? null,
      params.metadata === null ? null : withoutEmpty(params.metadata ?? {}),
      emptyKeys(params.metadata ?? {}),
      changesPayment,
    ],
  );
  if (rows[0]) return respondWithIntent(call, rows[0], params.expand);
  return notChangeable(before);
};

function notChangeable(row: IntentRow): SandboxResponse {
  return wrongState(
    `This PaymentIntent's amount could not be updated because it has a status of ${row.status}. ` +
      "You may only update the amount of a PaymentIntent with one of the following statuses: " +
      "requires_payment_method, requires_confirmation.",
    intentJson(row),
  );
}

function withoutEmpty(metadata: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ""));
}

function emptyKeys(metadata: Record<string, string>): string[] {
  return Object.keys(metadata).filter((name) => metadata[name] === "");
}
