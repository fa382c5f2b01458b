/** `POST /payment_intents/:id/cancel`. */

import type { Handler } from "./call.ts";
import { readIntent, respondWithIntent } from "./find-intent.ts";
import { looksLikeId, newId } from "./identifiers.ts";
import type { cancelIntentParams, Params } from "./params.ts";
import { intentJson } from "./render-intent.ts";
import { missing, wrongState } from "./responses.ts";
import type { IntentRow } from "./rows.ts";

/** Cancels an intent that is neither paid nor cancelled. If it is confirmed at the same time, one of the two wins. */
export const cancelIntent: Handler<Params<typeof cancelIntentParams>> = async (call, params) => {
  const { db, id } = call;
  if (!looksLikeId(id)) return missing("payment_intent", id, "intent");
  const { rows } = await db.query<IntentRow>(
    `WITH changed AS (
       UPDATE sandbox.payment_intent SET status = 'canceled', canceled_at = now(), cancellation_reason = $2
       WHERE id = $1 AND status IN ('requires_payment_method', 'requires_confirmation', 'requires_action')
       RETURNING *),
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $3, 'payment_intent.canceled', to_jsonb(changed) FROM changed)
     SELECT * FROM changed`,
    [id, params.cancellation_reason ?? null, newId("evt")],
  );
  if (rows[0]) return respondWithIntent(call, rows[0], params.expand);
  const intent = await readIntent(db, id);
  if (!intent) return missing("payment_intent", id, "intent");
  return wrongState(
    `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with ` +
      "one of the following statuses may be canceled: requires_payment_method, requires_capture, " +
      "requires_confirmation, requires_action, processing.",
    intentJson(intent),
  );
};
