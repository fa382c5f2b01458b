/** Payment methods: a checked test card and its billing details. */

import type { Run } from "./call.ts";
import { cardByToken, type Decline } from "./cards.ts";
import { type CheckedCard, checkCard } from "./check-card.ts";
import type { Db } from "./idempotency.ts";
import { looksLikeId, newId } from "./identifiers.ts";
import { createMethodParams, type NewMethod } from "./params.ts";
import { readParams } from "./read.ts";
import { methodJson } from "./render-method.ts";
import { done, missing, refused, type SandboxResponse } from "./responses.ts";
import type { BillingDetails, MethodRow } from "./rows.ts";

const TEST_TOKEN = "pm_card_";

/** `POST /payment_methods`: 402 if number, expiry or code are invalid. */
export const createPaymentMethod: Run = async ({ db, form }) => {
  const read = readParams(createMethodParams, form);
  if ("refusal" in read) return read.refusal;
  const made = await makeMethod(db, read.value);
  return "refusal" in made ? made.refusal : done(methodJson(made.method));
};

type MethodInput = { payment_method?: string | undefined; payment_method_data?: NewMethod | undefined };

/** The method named by or contained in a call; null if there is none. */
export async function methodOf(
  db: Db,
  given: MethodInput,
): Promise<{ method: MethodRow } | { refusal: SandboxResponse } | null> {
  if (given.payment_method_data) return makeMethod(db, given.payment_method_data);
  return given.payment_method === undefined ? null : findMethod(db, given.payment_method);
}

/** Stores only what may be stored of a card. */
async function makeMethod(
  db: Db,
  input: NewMethod,
): Promise<{ method: MethodRow } | { refusal: SandboxResponse }> {
  const checked = checkCard(input.card, new Date());
  if ("refused" in checked) return { refusal: refusedCard(checked.refused) };
  return { method: await insertMethod(db, checked.card, billing(input), input.metadata ?? {}) };
}

/** By id; a test token (`pm_card_visa`) creates a method. */
async function findMethod(db: Db, id: string): Promise<{ method: MethodRow } | { refusal: SandboxResponse }> {
  const known = id.startsWith(TEST_TOKEN) ? cardByToken(id.slice(TEST_TOKEN.length)) : undefined;
  if (known) {
    const expYear = new Date().getUTCFullYear() + 1;
    const card = { known, last4: known.last4, expMonth: 12, expYear, cvcGiven: true };
    return { method: await insertMethod(db, card, billing({}), {}) };
  }
  const row = looksLikeId(id) ? await readMethod(db, id) : undefined;
  return row ? { method: row } : { refusal: missing("PaymentMethod", id, "payment_method") };
}

export async function readMethod(db: Db, id: string): Promise<MethodRow | undefined> {
  const { rows } = await db.query<MethodRow>("SELECT * FROM sandbox.payment_method WHERE id = $1", [id]);
  return rows[0];
}

async function insertMethod(
  db: Db,
  card: CheckedCard,
  billingDetails: BillingDetails,
  metadata: Record<string, string>,
): Promise<MethodRow> {
  const { rows } = await db.query<MethodRow>({
    name: "sandbox-insert-method",
    text: `INSERT INTO sandbox.payment_method
       (id, token, brand, last4, exp_month, exp_year, cvc_given, billing_details, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
    values: [
      newId("pm"),
      card.known.token,
      card.known.brand,
      card.last4,
      card.expMonth,
      card.expYear,
      card.cvcGiven,
      billingDetails,
      metadata,
    ],
  });
  const [row] = rows;
  if (!row) throw new Error("an insert gave no row");
  return row;
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

function refusedCard(why: Decline): SandboxResponse {
  return refused(402, {
    type: "card_error",
    code: why.code,
    message: why.message,
    ...(why.declineCode && { decline_code: why.declineCode }),
    ...(why.param && { param: why.param }),
  });
}
