import { createHash } from "node:crypto";
import { isUniqueViolation } from "../../database/pg-errors.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { savedResponse } from "../idempotency/saved-response.ts";
import { formatMoney, toCents } from "../money.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { cancelOpenPayments } from "./cancel-intent.ts";
import { markCancelled } from "./mark-cancelled.ts";
import { markPaid } from "./mark-paid.ts";
import { findPayable, findPurchasesToPay, type Payable, type PaymentForm } from "./payable.ts";
import { recordProcessing } from "./processing.ts";
import type { Intent } from "./provider.ts";
import { PaymentUnavailable, PaymentUnexpected } from "./provider-errors.ts";
import { providerRefusal } from "./provider-refusal.ts";

/** A repeated call returns the same payment, also in another tab. Without ids: the only unpaid purchase of `total`. */
export async function createPaymentIntent(
  store: Store,
  buyer: User,
  form: PaymentForm,
  requestId?: string,
): Promise<{ clientSecret: string } | Refusal> {
  const rows = await findPurchasesToPay(store, buyer, form);
  if (isRefusal(rows)) return rows;
  const totalCents = totalOf(rows);
  if (rows.some(({ status }) => status !== "unpaid")) return refuse("conflict", paymentRefusals.alreadyPaid);
  if (toCents(form.total) !== totalCents)
    return refuseField(
      "total",
      paymentRefusals.amountDiffers(formatMoney(toCents(form.total) ?? 0), formatMoney(totalCents)),
    );
  try {
    return await openPayment(store, rows, requestId);
  } catch (error) {
    return providerRefusal(error);
  }
}

const totalOf = (rows: Payable[]) => rows.reduce((sum, { total_cents }) => sum + total_cents, 0);

const MAX_ATTEMPTS = 5;

async function openPayment(
  store: Store,
  rows: Payable[],
  requestId: string | undefined,
): Promise<{ clientSecret: string } | Refusal> {
  const ids = rows.map(({ id }) => id);
  // saves a query: if a payment is opened at the same time, the insert fails
  const isFirst = rows.every(({ payments_opened }) => payments_opened === 0);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const known = isFirst && attempt === 0 ? { openedCount: 0, open: [] } : await findPayments(store, ids);
    const intent = await findOrCreateIntent(store, rows, known);
    if (isRefusal(intent)) return intent;
    if (!intent.clientSecret) throw new PaymentUnexpected(`Stripe gave no client secret of ${intent.id}.`);
    const response = { clientSecret: intent.clientSecret };
    if (await insertPayment(store, intent.id, ids, { requestId, response })) return savedResponse(response);
    const current = await findPayable(store, ids);
    const notPayable = current.find((row) => row.cancelled_at || row.status !== "unpaid");
    if (notPayable) return cancelUnusedIntent(store, intent.id, notPayable);
  }
  return refuse("conflict", paymentRefusals.paymentUnderWay);
}

async function findOrCreateIntent(
  store: Store,
  rows: Payable[],
  { openedCount, open }: KnownPayments,
): Promise<Intent | Refusal> {
  const ids = rows.map(({ id }) => id);
  for (const { id, covers } of open) {
    const known = await findOpenIntent(store, id);
    if (isRefusal(known)) return known;
    if (known && covers.join() === ids.join()) return known;
    const refusal = known && (await cancelOpenPayments(store, covers.slice(0, 1)));
    if (refusal) return refusal;
  }
  return createIntent(store, rows, openedCount);
}

/**
 * Concurrent requests send the same idempotency key and get the same intent. It changes once a payment is recorded, and
 * after an error response, which the provider may repeat under the same key for a day. What that may have created is
 * never charged, since nobody has its client secret.
 */
async function createIntent(store: Store, rows: Payable[], openedCount: number): Promise<Intent> {
  const ids = rows.map(({ id }) => id);
  const [first] = rows as [Payable];
  try {
    return await store.payments.createIntent({
      amountCents: totalOf(rows),
      currency: "usd",
      purchaseId: first.id,
      email: first.email,
      idempotencyKey: idempotencyKeyOf(ids, openedCount),
    });
  } catch (error) {
    if (error instanceof PaymentUnavailable && error.isResponse) await store.pool.query(COUNT_FAILED, [ids]);
    throw error;
  }
}

const COUNT_FAILED = `
WITH locked AS (SELECT id FROM shop.purchase WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
UPDATE shop.purchase SET payments_opened = payments_opened + 1 FROM locked WHERE purchase.id = locked.id`;

interface KnownPayments {
  openedCount: number;
  open: { id: string; covers: string[] }[];
}

const FIND_PAYMENTS = `
SELECT (SELECT sum(payments_opened)::integer FROM shop.purchase WHERE id = ANY ($1)) AS "openedCount",
  (SELECT coalesce(json_agg(json_build_object('id', payment_id, 'covers', covers)), '[]') FROM (
    SELECT payment_id, json_agg(purchase_id ORDER BY purchase_id) AS covers FROM shop.payment_purchase
    WHERE payment_id IN (SELECT payment_id FROM shop.payment_purchase WHERE purchase_id = ANY ($1) AND is_open)
    GROUP BY payment_id) AS payment) AS open`;

async function findPayments(store: Store, ids: string[]): Promise<KnownPayments> {
  const { rows } = await store.pool.query<KnownPayments>(FIND_PAYMENTS, [ids]);
  return rows[0] as KnownPayments;
}

/** The intent as it is at the provider; null after it was cancelled there. */
async function findOpenIntent(store: Store, id: string): Promise<Intent | Refusal | null> {
  const known = await store.payments.findIntent(id);
  if (known?.status === "succeeded") {
    const paid = await markPaid(store, known);
    return isRefusal(paid) ? paid : refuse("conflict", paymentRefusals.alreadyPaid);
  }
  if (known) await recordProcessing(store, known);
  if (known && known.status !== "canceled") return known;
  await markCancelled(store, id);
  return null;
}

function idempotencyKeyOf(ids: string[], openedCount: number): string {
  if (ids.length === 1) return `purchase-${ids[0]}-${openedCount}`;
  return `purchases-${createHash("sha256").update(ids.join()).digest("hex")}-${openedCount}`;
}

/** The counter locks the purchases against a cancellation, and counts cancelled and failed ones too: each has its own key. */
const INSERT_PAYMENT = `
WITH locked AS (
  SELECT id FROM shop.purchase WHERE id = ANY ($2) ORDER BY id FOR NO KEY UPDATE
), unpaid AS (
  UPDATE shop.purchase SET payments_opened = payments_opened + 1
  FROM locked WHERE purchase.id = locked.id AND status = 'unpaid' AND cancelled_at IS NULL
  RETURNING purchase.id, user_id, total_cents
), opened AS (
  INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, mode, account)
  SELECT $1, user_id, (array_agg(id ORDER BY id))[1], sum(total_cents), $4, $5 FROM unpaid
  GROUP BY user_id HAVING count(*) = cardinality($2)
  ON CONFLICT (id) DO UPDATE SET asked_at = now()
    WHERE payment.status = 'open' AND payment.purchase_id = excluded.purchase_id
      AND payment.amount_cents = excluded.amount_cents
  RETURNING id, ${actorSql("$3")}
), covered AS (
  INSERT INTO shop.payment_purchase (payment_id, purchase_id, amount_cents)
  SELECT opened.id, unpaid.id, total_cents FROM opened, unpaid
  ON CONFLICT (payment_id, purchase_id) DO NOTHING
), saved_response AS (
  UPDATE shop.request SET answer = $7 WHERE id = $6 AND answer IS NULL AND EXISTS (SELECT FROM opened)
)
SELECT id FROM opened`;

async function insertPayment(
  store: Store,
  intentId: string,
  ids: string[],
  { requestId = null, response }: { requestId?: string | null | undefined; response: object },
): Promise<boolean> {
  const account = await store.payments.account();
  const values = [intentId, ids, actorText(), account.mode, account.id, requestId, JSON.stringify(response)];
  try {
    const { rowCount } = await store.pool.query({ name: "insert-payment", text: INSERT_PAYMENT, values });
    return rowCount === 1;
  } catch (error) {
    if (isUniqueViolation(error, "payment_purchase_open_idx")) return false;
    throw error;
  }
}

/** Its client secret was not returned to anyone, and the purchase can no longer be paid. */
async function cancelUnusedIntent(store: Store, intentId: string, purchase: Payable): Promise<Refusal> {
  await store.payments.cancelIntent(intentId);
  if (purchase.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  return refuse("conflict", paymentRefusals.alreadyPaid);
}
