/** `POST /3ds2/authenticate`: responds to a 3-D Secure challenge. Only the sandbox has this call. */

import type { Call, Handler } from "./call.ts";
import { cardByToken } from "./cards.ts";
import { openIntent, readIntent, respondWithIntent } from "./find-intent.ts";
import type { Db } from "./idempotency.ts";
import { readMethod } from "./methods.ts";
import type { authenticateParams, Params } from "./params.ts";
import { intentFor } from "./render-intent.ts";
import { type SandboxResponse, wrongState } from "./responses.ts";
import type { IntentRow } from "./rows.ts";
import { declineIntent, failChallenge, payIntent, type Step } from "./transitions.ts";

/** `source` is the intent's id, `outcome` succeed or fail. 400 if it is not waiting for a challenge. */
export const authenticate: Handler<Params<typeof authenticateParams>> = async (call, params) => {
  const found = await openIntent(call, params.source, params.client_secret);
  if ("refusal" in found) return found.refusal;
  const { intent } = found;
  const method = intent.payment_method_id ? await readMethod(call.db, intent.payment_method_id) : undefined;
  if (intent.status !== "requires_action" || !method) return notWaiting(call, intent);
  const step: Step = { intentId: intent.id, method, from: ["requires_action"] };
  const updated = await resolveChallenge(call.db, step, params.outcome);
  if (updated) return respondWithIntent(call, updated, params.expand);
  return notWaiting(call, (await readIntent(call.db, intent.id)) ?? intent);
};

async function resolveChallenge(db: Db, step: Step, outcome: "succeed" | "fail"): Promise<IntentRow | null> {
  if (outcome === "fail") return failChallenge(db, step);
  const decline = cardByToken(step.method.token)?.decline;
  if (!decline) return payIntent(db, step);
  return (await declineIntent(db, step, decline))?.intent ?? null;
}

function notWaiting(call: Call, row: IntentRow): SandboxResponse {
  const message = `This PaymentIntent has a status of ${row.status} and waits for no authentication.`;
  return wrongState(message, intentFor(call.caller, row));
}
