/** `POST /payment_intents` and `POST /payment_intents/:id`. */

import type { Run } from "./call.ts";
import { confirmWith } from "./confirm-intent.ts";
import { readIntent, respondWithIntent } from "./find-intent.ts";
import { newId, randomText } from "./identifiers.ts";
import { methodOf } from "./methods.ts";
import { createIntentParams, updateIntentParams } from "./params.ts";
import { readParams } from "./read.ts";
import { intentJson } from "./render-intent.ts";
import { missing, type SandboxResponse, wrongState } from "./responses.ts";
import type { IntentRow } from "./rows.ts";

/** With `confirm=true` the intent is confirmed at once. */
export const createIntent: Run = async (call) => {
  const read = readParams(createIntentParams, call.form);
  if ("refusal" in read) return read.refusal;
  const given = read.value;
  const paying = await methodOf(call.db, given);
  if (paying && "refusal" in paying) return paying.refusal;
  const id = newId("pi");
  const { rows } = await call.db.query<IntentRow>({
    name: "sandbox-create-intent",
    text: `INSERT INTO sandbox.payment_intent
       (id, client_secret, amount_cents, currency, status, payment_method_id, description, receipt_email, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
    values: [
      id,
      `${id}_secret_${randomText(25)}`,
      given.amount,
      given.currency,
      paying ? "requires_confirmation" : "requires_payment_method",
      paying?.method.id ?? null,
      given.description || null,
      given.receipt_email || null,
      withoutEmpty(given.metadata ?? {}),
    ],
  });
  const [intent] = rows;
  if (!intent) throw new Error("an insert gave no row");
  return given.confirm
    ? confirmWith(call, intent, paying?.method, given.expand)
    : respondWithIntent(call, intent, given.expand);
};

/** Changes amount, metadata, description or method. The amount is fixed once the buyer has confirmed it. */
export const updateIntent: Run = async (call) => {
  const read = readParams(updateIntentParams, call.form);
  if ("refusal" in read) return read.refusal;
  const { db, id } = call;
  const before = await readIntent(db, id);
  if (!before) return missing("payment_intent", id, "intent");
  const given = read.value;
  const paying = await methodOf(call.db, given);
  if (paying && "refusal" in paying) return paying.refusal;
  const about = given.amount !== undefined || paying !== null;
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
      given.amount ?? null,
      paying?.method.id ?? null,
      given.description ?? null,
      given.receipt_email ?? null,
      given.metadata === null ? null : withoutEmpty(given.metadata ?? {}),
      emptyOnes(given.metadata ?? {}),
      about,
    ],
  );
  if (rows[0]) return respondWithIntent(call, rows[0], given.expand);
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

function emptyOnes(metadata: Record<string, string>): string[] {
  return Object.keys(metadata).filter((name) => metadata[name] === "");
}
