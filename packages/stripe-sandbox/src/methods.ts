import type { Run } from "./call.ts";
import { cardByToken } from "./cards.ts";
import { type CheckedCard, checkCard } from "./check-card.ts";
import type { Db } from "./idempotency.ts";
import { looksLikeId, newId } from "./identifiers.ts";
import type { NewMethod } from "./params.ts";
import { methodJson } from "./render-method.ts";
import { done, missing, refused, type SandboxResponse } from "./responses.ts";
import type { BillingDetails, MethodRow } from "./rows.ts";

const TEST_TOKEN = "pm_card_";

/** `POST /payment_methods`: 402 if number, expiry or code are invalid. */
export const createPaymentMethod: Run<NewMethod> = async ({ db }, given) => {
  const made = makeMethod(given);
  return "refusal" in made ? made.refusal : done(methodJson(await insertMethod(db, made.method)));
};

type MethodInput = { payment_method?: string | undefined; payment_method_data?: NewMethod | undefined };

type Method = { method: MethodRow } | { refusal: SandboxResponse };

export async function methodOf(db: Db, given: MethodInput): Promise<Method | null> {
  const found = await readMethodOf(db, given);
  if (found && "method" in found) await insertMethod(db, found.method);
  return found;
}

/** As `methodOf`, but a new method is left to the transition that uses it. */
export async function readMethodOf(db: Db, given: MethodInput): Promise<Method | null> {
  if (given.payment_method_data) return makeMethod(given.payment_method_data);
  return given.payment_method === undefined ? null : findMethod(db, given.payment_method);
}

/** Only what may be stored of a card. */
function makeMethod(input: NewMethod): Method {
  const checked = checkCard(input.card, new Date());
  if ("refused" in checked) return { refusal: refused(402, { type: "card_error", ...checked.refused }) };
  return { method: methodRow(checked.card, billing(input), input.metadata ?? {}) };
}

/** By id; a test token (`pm_card_visa`) creates a method. */
async function findMethod(db: Db, id: string): Promise<Method> {
  const known = id.startsWith(TEST_TOKEN) ? cardByToken(id.slice(TEST_TOKEN.length)) : undefined;
  if (known) {
    const expYear = new Date().getUTCFullYear() + 1;
    const card = { known, last4: known.last4, expMonth: 12, expYear, cvcGiven: true };
    return { method: methodRow(card, billing({}), {}) };
  }
  const row = looksLikeId(id) ? await readMethod(db, id) : undefined;
  return row ? { method: row } : { refusal: missing("PaymentMethod", id, "payment_method") };
}

export async function readMethod(db: Db, id: string): Promise<MethodRow | undefined> {
  const { rows } = await db.query<MethodRow>("SELECT * FROM sandbox.payment_method WHERE id = $1", [id]);
  return rows[0];
}

function methodRow(
  card: CheckedCard,
  billingDetails: BillingDetails,
  metadata: Record<string, string>,
): MethodRow {
  return {
    id: newId("pm"),
    token: card.known.token,
    brand: card.known.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    cvc_given: card.cvcGiven,
    billing_details: billingDetails,
    metadata,
    created_at: new Date(),
  };
}

async function insertMethod(db: Db, method: MethodRow): Promise<MethodRow> {
  await db.query({
    name: "sandbox-insert-method",
    text: `INSERT INTO sandbox.payment_method SELECT * FROM jsonb_populate_record(NULL::sandbox.payment_method, $1)
     ON CONFLICT (id) DO NOTHING`,
    values: [method],
  });
  return method;
}

function billing(input: Pick<NewMethod, "billing_details">): BillingDetails {
  const given = input.billing_details;
  return {
    name: given?.name || null,
    email: given?.email || null,
    phone: given?.phone || null,
    address: {
      city: given?.address?.city || null,
      country: given?.address?.country || null,
      line1: given?.address?.line1 || null,
      line2: given?.address?.line2 || null,
      postal_code: given?.address?.postal_code || null,
      state: given?.address?.state || null,
    },
  };
}
