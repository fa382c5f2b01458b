import { type Call, intentFor, type Run } from "./call.ts";
import { cardByToken, type Decline } from "./cards.ts";
import { openIntent, readIntent, refusedExpand, respondWithIntent } from "./find-intent.ts";
import { readMethod, readMethodOf } from "./methods.ts";
import { confirmIntentParams } from "./params.ts";
import { readParams } from "./read.ts";
import { type SandboxResponse, wrongState } from "./responses.ts";
import type { IntentRow, MethodRow } from "./rows.ts";
import { askForChallenge, declineIntent, payIntent, processIntent, type Step } from "./transitions.ts";

/** Confirms with a new or an existing payment method; 402 with the bank's reason if it is declined. */
export const confirmIntent: Run = async (call) => {
  const read = readParams(confirmIntentParams, call.form);
  if ("refusal" in read) return read.refusal;
  const found = await openIntent(call, call.id, read.value.client_secret);
  if ("refusal" in found) return found.refusal;
  const paying = await readMethodOf(call.db, read.value);
  if (paying && "refusal" in paying) return paying.refusal;
  return confirmWith(call, found.intent, paying?.method, read.value.expand);
};

/** Of concurrent calls one wins; the others get the new state of the intent. */
export async function confirmWith(
  call: Call,
  intent: IntentRow,
  given: MethodRow | undefined,
  expand?: string[],
): Promise<SandboxResponse> {
  const refusal = refusedExpand(call.caller, expand);
  if (refusal) return refusal;
  const method =
    given ?? (intent.payment_method_id ? await readMethod(call.db, intent.payment_method_id) : undefined);
  if (!method) return withoutMethod(call, intent);
  const step: Step = {
    intentId: intent.id,
    method,
    from: ["requires_payment_method", "requires_confirmation", "requires_action"],
  };
  const known = cardByToken(method.token);
  if (!known) throw new Error(`unknown test card token ${method.token}`);
  if (known.challenge) {
    const waiting = await askForChallenge(call.db, step);
    return waiting ? respondWithIntent(call, waiting, expand) : notConfirmable(call, intent.id);
  }
  if (known.processing) {
    const processing = await processIntent(call.db, step);
    return processing ? respondWithIntent(call, processing, expand) : notConfirmable(call, intent.id);
  }
  // a code that was not given cannot be wrong
  const decline = known.decline?.code === "incorrect_cvc" && !method.cvc_given ? undefined : known.decline;
  return attempt(call, step, decline, expand);
}

async function attempt(
  call: Call,
  step: Step,
  decline: Decline | undefined,
  expand?: string[],
): Promise<SandboxResponse> {
  if (!decline) {
    const paid = await payIntent(call.db, step);
    return paid ? respondWithIntent(call, paid, expand) : notConfirmable(call, step.intentId);
  }
  const refusal = await declineIntent(call.db, step, decline);
  if (!refusal) return notConfirmable(call, step.intentId);
  return refusal.respond(intentFor(call.caller, refusal.intent));
}

async function again({ db }: Call, id: string): Promise<IntentRow> {
  const row = await readIntent(db, id);
  if (!row) throw new Error(`intent ${id} vanished`);
  return row;
}

async function notConfirmable(call: Call, id: string): Promise<SandboxResponse> {
  const row = await again(call, id);
  const message =
    row.status === "succeeded"
      ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
      : `You cannot confirm this PaymentIntent because it has a status of ${row.status}. ` +
        "Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action.";
  return wrongState(message, intentFor(call.caller, row));
}

function withoutMethod(call: Call, row: IntentRow): SandboxResponse | Promise<SandboxResponse> {
  if (row.status === "succeeded" || row.status === "canceled") return notConfirmable(call, row.id);
  return wrongState(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
    intentFor(call.caller, row),
  );
}
