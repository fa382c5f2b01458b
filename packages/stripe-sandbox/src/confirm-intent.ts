import type { Call, Handler } from "./call.ts";
import { cardByToken } from "./cards.ts";
import { openIntent, readIntent, refusedExpand, respondWithIntent } from "./find-intent.ts";
import { readMethod, resolveMethod } from "./methods.ts";
import type { confirmIntentParams, Params } from "./params.ts";
import { intentFor } from "./render-intent.ts";
import { type SandboxResponse, wrongState } from "./responses.ts";
import type { IntentRow, MethodRow } from "./rows.ts";
import { declineIntent, payIntent, processIntent, requireChallenge, type Step } from "./transitions.ts";

/** Confirms with a new or an existing payment method; 402 with the bank's reason if it is declined. */
export const confirmIntent: Handler<Params<typeof confirmIntentParams>> = async (call, params) => {
  const found = await openIntent(call, call.id, params.client_secret);
  if ("refusal" in found) return found.refusal;
  const resolved = await resolveMethod(call.db, params);
  if (resolved && "refusal" in resolved) return resolved.refusal;
  return confirmWith(call, found.intent, resolved?.method, params.expand);
};

/** Of concurrent calls one wins; the others get the new state of the intent. */
export async function confirmWith(
  call: Call,
  intent: IntentRow,
  newMethod: MethodRow | undefined,
  expand?: string[],
): Promise<SandboxResponse> {
  const refusal = refusedExpand(call.caller, expand);
  if (refusal) return refusal;
  const method =
    newMethod ?? (intent.payment_method_id ? await readMethod(call.db, intent.payment_method_id) : undefined);
  if (!method) return missingMethod(call, intent);
  const step: Step = {
    intentId: intent.id,
    method,
    from: ["requires_payment_method", "requires_confirmation", "requires_action"],
  };
  const card = cardByToken(method.token);
  if (!card) throw new Error(`unknown test card token ${method.token}`);
  // a code that was not given cannot be wrong
  const decline = card.decline?.code === "incorrect_cvc" && !method.cvc_given ? undefined : card.decline;
  if (decline && !card.challenge && !card.processing) {
    const refused = await declineIntent(call.db, step, decline);
    return refused
      ? refused.respond(intentFor(call.caller, refused.intent))
      : notConfirmable(call, intent.id);
  }
  const proceed = card.challenge ? requireChallenge : card.processing ? processIntent : payIntent;
  const updated = await proceed(call.db, step);
  return updated ? respondWithIntent(call, updated, expand) : notConfirmable(call, intent.id);
}

async function notConfirmable(call: Call, id: string): Promise<SandboxResponse> {
  const row = await readIntent(call.db, id);
  if (!row) throw new Error(`intent ${id} vanished`);
  const message =
    row.status === "succeeded"
      ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
      : `You cannot confirm this PaymentIntent because it has a status of ${row.status}. ` +
        "Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.";
  return wrongState(message, intentFor(call.caller, row));
}

function missingMethod(call: Call, row: IntentRow): SandboxResponse | Promise<SandboxResponse> {
  if (row.status === "succeeded" || row.status === "canceled") return notConfirmable(call, row.id);
  return wrongState(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
    intentFor(call.caller, row),
  );
}
