import type { Handler } from "./call.ts";
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
export const createPaymentMethod: Handler<NewMethod> = async ({ db }, params) => {
  const created = newMethod(params);
  return "refusal" in created ? created.refusal : done(methodJson(await insertMethod(db, created.method)));
};

type MethodInput = { payment_method?: string | undefined; payment_method_data?: NewMethod | undefined };

type Method = { method: MethodRow } | { refusal: SandboxResponse };

export async function saveMethod(db: Db, params: MethodInput): Promise<Method | null> {
  const found = await resolveMethod(db, params);
  if (found && "method" in found) await insertMethod(db, found.method);
  return found;
}

/** As `saveMethod`, but a new method is left to the transition that uses it. */
export async function resolveMethod(db: Db, params: MethodInput): Promise<Method | null> {
  if (params.payment_method_data) return newMethod(params.payment_method_data);
  return params.payment_method === undefined ? null : findMethod(db, params.payment_method);
}

/** Only what may be stored of a card. */
function newMethod(input: NewMethod): Method {
  const checked = checkCard(input.card, new Date());
  if ("refused" in checked) return { refusal: refused(402, { type: "card_error", ...checked.refused }) };
  return { method: methodRow(checked.card, billingDetailsOf(input), input.metadata ?? {}) };
}

/** By id; a test token (`pm_card_visa`) creates a method. */
async function findMethod(db: Db, id: string): Promise<Method> {
  const testCard = id.startsWith(TEST_TOKEN) ? cardByToken(id.slice(TEST_TOKEN.length)) : undefined;
  if (testCard) {
    const expYear = new Date().getUTCFullYear() + 1;
    const card = { testCard, last4: testCard.last4, expMonth: 12, expYear, cvcGiven: true };
    return { method: methodRow(card, billingDetailsOf({}), {}) };
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
    token: card.testCard.token,
    brand: card.testCard.brand,
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

function billingDetailsOf(input: Pick<NewMethod, "billing_details">): BillingDetails {
  const details = input.billing_details;
  return {
    name: details?.name || null,
    email: details?.email || null,
    phone: details?.phone || null,
    address: {
      city: details?.address?.city || null,
      country: details?.address?.country || null,
      line1: details?.address?.line1 || null,
      line2: details?.address?.line2 || null,
      postal_code: details?.address?.postal_code || null,
      state: details?.address?.state || null,
    },
  };
}
