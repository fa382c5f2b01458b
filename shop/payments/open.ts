import { PaymentUnavailable } from "../../providers/payment/stripe.ts";
import { formatMoney, toCents } from "../money.ts";
import { findPurchaseRow, type PurchaseRow, purchaseRefusal } from "../purchases/queries.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import { refusals } from "../refusals.ts";
import type { Person, Store } from "../store.ts";

/**
 * POST /create-payment-intent: opens a card payment of exactly the total of one of the buyer's unpaid
 * purchases and answers its client secret. Asking again gives the same payment, also from another tab.
 * With `purchaseId` the amount is the purchase's own; by `total` alone it is for the oldest unpaid purchase
 * of that total. Refuses what is not the buyer's, is gone or paid, another amount, an absent card provider.
 */
export async function openPayment(
  store: Store,
  buyer: Person,
  asked: { total: number; purchaseId?: string | undefined },
): Promise<{ clientSecret: string } | Refusal> {
  const row = asked.purchaseId
    ? await findPurchaseRow(store, asked.purchaseId)
    : await oldestUnpaidOf(store, buyer, asked.total);
  if (!asked.purchaseId && !row) return refuseField("total", refusals.noPurchaseOfThisTotal);
  const refusal = purchaseRefusal(row, buyer, true);
  if (refusal) return refusal;
  return openPaymentOf(store, row as PurchaseRow, asked.total, !asked.purchaseId);
}

async function openPaymentOf(
  store: Store,
  row: PurchaseRow,
  total: number,
  loose: boolean,
): Promise<{ clientSecret: string } | Refusal> {
  if (row.status !== "unpaid") return refuse("conflict", refusals.alreadyPaid);
  if (toCents(total) !== row.total_cents) {
    return refuseField(
      "total",
      refusals.amountDiffers(formatMoney(toCents(total) ?? 0), formatMoney(row.total_cents)),
    );
  }
  try {
    return { clientSecret: await clientSecretFor(store, row, loose) };
  } catch (error) {
    if (error instanceof PaymentUnavailable) return refuse("unavailable", refusals.paymentProviderDown);
    throw error;
  }
}

/**
 * The key makes the provider answer the same payment to everybody who asks for it; a new one only after the
 * last was cancelled. The row is written before the secret is handed out, so no money can come unseen.
 */
async function clientSecretFor(store: Store, row: PurchaseRow, loose: boolean): Promise<string> {
  const { rows } = await store.pool.query<{ cancelled: number; open: string | null }>(
    `SELECT count(*) FILTER (WHERE status = 'cancelled') AS cancelled, min(id) FILTER (WHERE status = 'open') AS open
     FROM shop.payment WHERE purchase_id = $1`,
    [row.id],
  );
  const attempt = rows[0]?.cancelled ?? 0;
  const known = rows[0]?.open ? await store.payments.findIntent(rows[0].open) : null;
  const intent =
    known ??
    (await store.payments.createIntent({
      amountCents: row.total_cents,
      currency: "usd",
      purchaseId: row.id,
      email: row.email,
      idempotencyKey: `purchase-${row.id}-${attempt}`,
    }));
  await store.pool.query(
    `INSERT INTO shop.payment (id, user_id, purchase_id, amount_cents, loose) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO UPDATE SET loose = payment.loose AND excluded.loose`,
    [intent.id, row.user_id, row.id, row.total_cents, loose],
  );
  return intent.clientSecret;
}

async function oldestUnpaidOf(store: Store, buyer: Person, total: number): Promise<PurchaseRow | undefined> {
  return store.database
    .selectFrom("shop.purchase")
    .selectAll()
    .where("user_id", "=", buyer.id)
    .where("status", "=", "unpaid")
    .where("cancelled_at", "is", null)
    .where("total_cents", "=", toCents(total) ?? 0)
    .orderBy("id")
    .executeTakeFirst();
}
