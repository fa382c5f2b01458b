import { isUniqueViolation } from "../../database/pg-errors.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { formatMoney, toCents } from "../money.ts";
import { findPurchaseRow, purchaseRefusal } from "../orders/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { markCancelled } from "./cancel-intent.ts";
import { markPaid } from "./mark-paid.ts";
import { recordProcessing } from "./processing.ts";
import type { Intent } from "./provider.ts";
import { PaymentUnexpected } from "./provider-errors.ts";
import { providerRefusal } from "./provider-refusal.ts";

/**
 * POST /create-payment-intent: opens a card payment of exactly the total of one of the buyer's unpaid
 * purchases and answers its client secret. Asking again gives the same payment, also from another tab.
 * Without `purchaseId` the buyer must have exactly one unpaid purchase of that `total`. Refuses another user's,
 * cancelled or paid purchase, another amount, and an unavailable provider.
 */
export async function createPaymentIntent(
  store: Store,
  buyer: User,
  asked: { total: number; purchaseId?: string | undefined },
): Promise<{ clientSecret: string } | Refusal> {
  const row = asked.purchaseId
    ? await findPurchaseRow(store, asked.purchaseId)
    : await findUnpaidByTotal(store, buyer, asked.total);
  if (isRefusal(row)) return row;
  const refusal = purchaseRefusal(row, buyer, true);
  if (refusal) return refusal;
  return openPaymentOf(store, row as PurchaseRow, asked.total);
}

async function openPaymentOf(
  store: Store,
  row: PurchaseRow,
  total: number,
): Promise<{ clientSecret: string } | Refusal> {
  if (row.status !== "unpaid") return refuse("conflict", paymentRefusals.alreadyPaid);
  if (toCents(total) !== row.total_cents) {
    return refuseField(
      "total",
      paymentRefusals.amountDiffers(formatMoney(toCents(total) ?? 0), formatMoney(row.total_cents)),
    );
  }
  try {
    return await clientSecretOf(store, row);
  } catch (error) {
    return providerRefusal(error);
  }
}

/** How often payments may be opened and cancelled beside this before it gives up. */
const TRIES = 5;

async function clientSecretOf(store: Store, row: PurchaseRow): Promise<{ clientSecret: string } | Refusal> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const live = await liveIntentOf(store, row);
    if (isRefusal(live)) return live;
    if (!live.clientSecret) throw new PaymentUnexpected(`Stripe gave no client secret of ${live.id}.`);
    if (await insertPayment(store, live.id, row.id)) return { clientSecret: live.clientSecret };
    const now = await findPurchaseRow(store, row.id);
    if (!now || now.cancelled_at || now.status !== "unpaid") return cancelUnusedIntent(store, live.id, now);
  }
  return refuse("conflict", paymentRefusals.paymentUnderWay);
}

/**
 * Returns the open payment, or creates one. Concurrent requests send the same idempotency key and get the same intent;
 * the key changes once a payment is recorded. A payment that has succeeded meanwhile marks the purchase paid.
 */
async function liveIntentOf(store: Store, row: PurchaseRow): Promise<Intent | Refusal> {
  const { rows } = await store.pool.query<{ payments_opened: number; open: string | null }>(
    `SELECT payments_opened, (SELECT id FROM shop.payment WHERE purchase_id = $1 AND status = 'open') AS open
     FROM shop.purchase WHERE id = $1`,
    [row.id],
  );
  const { payments_opened = 0, open = null } = rows[0] ?? {};
  if (open) {
    const known = await store.payments.findIntent(open);
    if (known?.status === "succeeded") {
      const paid = await markPaid(store, known);
      return isRefusal(paid) ? paid : refuse("conflict", paymentRefusals.alreadyPaid);
    }
    if (known) await recordProcessing(store, known);
    if (known && known.status !== "canceled") return known;
    await markCancelled(store, open);
  }
  return store.payments.createIntent({
    amountCents: row.total_cents,
    currency: "usd",
    purchaseId: row.id,
    email: row.email,
    idempotencyKey: `purchase-${row.id}-${payments_opened}`,
  });
}

/**
 * Inserts the payment before its secret is returned, and only while the purchase is unpaid. The counter locks the
 * purchase against a concurrent cancel, and counts a cancelled payment too, so that the next attempt uses a new key.
 */
const INSERT_PAYMENT = `
WITH waiting AS (
  UPDATE shop.purchase SET payments_opened = payments_opened + 1
  WHERE id = $2 AND status = 'unpaid' AND cancelled_at IS NULL
  RETURNING id, user_id, total_cents
)
INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, mode, account)
SELECT $1, user_id, id, total_cents, $4, $5 FROM waiting
ON CONFLICT (id) DO UPDATE SET asked_at = now()
  WHERE payment.status = 'open' AND payment.purchase_id = excluded.purchase_id
RETURNING ${actorSql("$3")}`;

async function insertPayment(store: Store, intent: string, purchaseId: string): Promise<boolean> {
  const account = await store.payments.account();
  const values = [intent, purchaseId, actorText(), account.mode, account.id];
  try {
    const { rowCount } = await store.pool.query(INSERT_PAYMENT, values);
    return rowCount === 1;
  } catch (error) {
    if (isUniqueViolation(error, "payment_open_idx")) return false;
    throw error;
  }
}

/** Nobody has seen the secret of this payment; it must not stay open for a purchase that wants no money. */
async function cancelUnusedIntent(
  store: Store,
  intent: string,
  purchase: PurchaseRow | undefined,
): Promise<Refusal> {
  await store.payments.cancelIntent(intent);
  if (!purchase || purchase.cancelled_at) return refuse("missing", refusals.purchaseNotFound);
  return refuse("conflict", paymentRefusals.alreadyPaid);
}

async function findUnpaidByTotal(store: Store, buyer: User, total: number): Promise<PurchaseRow | Refusal> {
  const { rows } = await store.pool.query<PurchaseRow>(
    `SELECT * FROM shop.purchase
     WHERE user_id = $1 AND status = 'unpaid' AND cancelled_at IS NULL AND total_cents = $2 LIMIT 2`,
    [buyer.id, toCents(total) ?? 0],
  );
  if (!rows[0]) return refuseField("total", paymentRefusals.noPurchaseOfThisTotal);
  return rows.length === 1 ? rows[0] : refuseField("purchaseId", paymentRefusals.severalPurchasesOfThisTotal);
}
