/** The real shop on PostgreSQL and the sandbox, which acts only when a step calls it. */
import { expect } from "vitest";
import { makeAdmin } from "../../shop/accounts/make-admin.ts";
import { upsertUser } from "../../shop/accounts/upsert-user.ts";
import { handlePaymentEvent } from "../../shop/payments/webhook.ts";
import type { Store, User } from "../../shop/store.ts";
import type { Fixture } from "../integration/payments/fixture.ts";
import type { Model } from "./model.ts";

export interface Real {
  fixture: Fixture;
  store: Store;
}

export const HOLD_HOURS = 48;

/** A store like that of a new process, whose only state is the database's. */
export function startStore(fixture: Fixture): Store {
  return {
    pool: fixture.pool,
    payments: fixture.payments,
    unpaidHoldHours: HOLD_HOURS,
  };
}

/** A separate user for one run. */
export async function newUser(store: Store, role: "user" | "admin"): Promise<User> {
  const id = crypto.randomUUID();
  const user = await upsertUser(store, { id, email: `${id}@people.example`, name: "Ada Buyer" });
  if (role === "admin") await makeAdmin(store, user.email, true);
  return { ...user, role };
}

/** Delivers the `at`-th event of a payment, possibly repeatedly. */
export async function deliverEvent({ fixture, store }: Real, intentId: string, at: number): Promise<void> {
  const { rows } = await fixture.pool.query<{ type: string }>(
    "SELECT type FROM sandbox.event WHERE snapshot->>'id' = $1 ORDER BY created_at, id",
    [intentId],
  );
  const event = rows[at % Math.max(rows.length, 1)];
  if (event) await handlePaymentEvent(store, { ...event, intentId });
}

/** The bank accepts although the provider had cancelled: unexpected, but possible. */
export async function succeedAfterCancel({ fixture }: Real, intentId: string): Promise<void> {
  await fixture.pool.query(
    `WITH method AS (
       INSERT INTO sandbox.payment_method (id, token, brand, last4, exp_month, exp_year, cvc_given, billing_details, metadata)
       VALUES ('pm_' || $1, 'visa', 'visa', '4242', 12, 2030, true, '{}', '{}') RETURNING id
     ), charge AS (
       INSERT INTO sandbox.charge (id, payment_intent_id, payment_method_id, amount_cents, currency, status, card, billing_details)
       SELECT 'ch_' || $1, i.id, method.id, i.amount_cents, 'usd', 'succeeded', '{"brand":"visa","last4":"4242","token":"visa"}', '{}'
       FROM sandbox.payment_intent i, method WHERE i.id = $1 RETURNING id
     ), intent AS (
       UPDATE sandbox.payment_intent SET status = 'succeeded', canceled_at = NULL, amount_received_cents = amount_cents,
         payment_method_id = (SELECT id FROM method), latest_charge_id = (SELECT id FROM charge) WHERE id = $1 RETURNING *
     )
     INSERT INTO sandbox.event (id, type, snapshot) SELECT 'evt_' || $1, 'payment_intent.succeeded', to_jsonb(intent) FROM intent`,
    [intentId],
  );
}

/** Expects the store's tables to match the model. */
export async function expectMatch(model: Model, { fixture: { pool } }: Real): Promise<void> {
  const ids = model.purchases.map(({ id }) => id);
  const products = await pool.query(
    "SELECT id, quantity, price_cents, archived_at IS NOT NULL AS archived FROM shop.product WHERE id = ANY ($1) ORDER BY id",
    [model.products.map(({ id }) => id)],
  );
  expect(products.rows).toEqual(
    model.products
      .map(({ id, stock, cents, archived }) => ({ id, quantity: stock, price_cents: cents, archived }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const purchases = await pool.query(
    `SELECT id, CASE WHEN cancelled_at IS NULL THEN status ELSE 'cancelled' END AS state, total_cents, transaction_id,
       refunded_cents, returned_at IS NOT NULL AS returned FROM shop.purchase WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );
  const payments = await pool.query(
    "SELECT id, purchase_id, status FROM shop.payment WHERE purchase_id = ANY ($1) ORDER BY id",
    [ids],
  );
  const refunds = await pool.query(
    `SELECT CASE origin WHEN 'late' THEN payment_id ELSE id::text END AS of, status AS state FROM shop.refund
     WHERE purchase_id = ANY ($1)`,
    [ids],
  );
  const byName = (a: { of: string }, b: { of: string }) => (a.of < b.of ? -1 : 1);
  expect(refunds.rows.sort(byName)).toEqual(model.purchases.flatMap((one) => one.refunds).sort(byName));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(purchases.rows).toEqual(
    model.purchases
      .map((purchase) => ({
        id: purchase.id,
        state: purchase.state,
        total_cents: purchase.cents * purchase.quantity,
        transaction_id: purchase.intents.find(({ inStore }) => inStore === "succeeded")?.id ?? null,
        refunded_cents: purchase.refundedCents,
        returned: purchase.returned,
      }))
      .sort(byId),
  );
  expect(payments.rows.sort(byId)).toEqual(
    model.purchases
      .flatMap(({ id, intents }) =>
        intents.map((intent) => ({ id: intent.id, purchase_id: id, status: intent.inStore })),
      )
      .sort(byId),
  );
}

/** Expects exactly the model's emails. */
export async function expectEmails(model: Model, { fixture: { pool } }: Real): Promise<void> {
  const { rows } = await pool.query<{ mail: string; id: string }>(
    `SELECT payload->>'mail' AS mail, payload->>'purchaseId' AS id FROM graphile_worker._private_jobs
     WHERE payload->>'purchaseId' = ANY ($1)`,
    [model.purchases.map(({ id }) => id)],
  );
  const sent = rows.map(({ mail, id }) => `${id} ${mail}`).sort();
  expect(sent).toEqual(
    model.purchases.flatMap(({ id, emails }) => emails.map((email) => `${id} ${email}`)).sort(),
  );
}
