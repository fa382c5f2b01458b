import { type Caller, requireIntentAccess } from "./access.ts";
import type { Call, Handler } from "./call.ts";
import type { Db } from "./idempotency.ts";
import { looksLikeId } from "./identifiers.ts";
import { readMethod } from "./methods.ts";
import type { findIntentParams, Params } from "./params.ts";
import { chargeJson } from "./render-charge.ts";
import { intentFor } from "./render-intent.ts";
import { methodJson } from "./render-method.ts";
import { done, missing, refused, type SandboxResponse } from "./responses.ts";
import type { ChargeRow, IntentRow } from "./rows.ts";

/** `GET /payment_intents/:id`, with the secret key or the intent's client secret. */
export const findIntent: Handler<Params<typeof findIntentParams>> = async (call, params) => {
  const found = await openIntent(call, call.id, params.client_secret);
  return "refusal" in found ? found.refusal : respondWithIntent(call, found.intent, params.expand);
};

export async function openIntent(
  { db, caller }: Call,
  id: string,
  clientSecret: string | undefined,
): Promise<{ intent: IntentRow } | { refusal: SandboxResponse }> {
  const intent = await readIntent(db, id);
  if (!intent) return { refusal: missing("payment_intent", id, "intent") };
  const refusal = requireIntentAccess(caller, intent, clientSecret);
  return refusal ? { refusal } : { intent };
}

export async function readIntent(db: Db, id: string): Promise<IntentRow | undefined> {
  if (!looksLikeId(id)) return undefined;
  const { rows } = await db.query<IntentRow>({
    name: "sandbox-find-intent",
    text: "SELECT * FROM sandbox.payment_intent WHERE id = $1",
    values: [id],
  });
  return rows[0];
}

/** Why these members cannot be expanded; checked before a change that is not rolled back. */
export function refusedExpand(caller: Caller, expand: string[] = []): SandboxResponse | null {
  const expandable = caller === "secret" ? ["payment_method", "latest_charge"] : ["payment_method"];
  const other = expand.find((member) => !expandable.includes(member));
  if (other === undefined) return null;
  return refused(400, { message: `This property cannot be expanded (${other}).`, param: "expand" });
}

export async function respondWithIntent(
  { db, caller }: Call,
  row: IntentRow,
  expand: string[] = [],
): Promise<SandboxResponse> {
  const refusal = refusedExpand(caller, expand);
  if (refusal) return refusal;
  const body: Record<string, unknown> = { ...intentFor(caller, row) };
  for (const member of expand) {
    if (member === "payment_method" && row.payment_method_id) {
      const method = await readMethod(db, row.payment_method_id);
      body.payment_method = method ? methodJson(method) : null;
    } else if (member === "latest_charge") {
      body.latest_charge = await latestCharge(db, row);
    }
  }
  return done(body);
}

async function latestCharge(db: Db, row: IntentRow): Promise<object | null> {
  if (!row.latest_charge_id) return null;
  const { rows } = await db.query<ChargeRow>("SELECT * FROM sandbox.charge WHERE id = $1", [
    row.latest_charge_id,
  ]);
  return rows[0] ? chargeJson(rows[0]) : null;
}
