import { formatMoney } from "../money.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import { forEachTolerant } from "../payments/for-each-tolerant.ts";
import type { PaymentRow } from "../payments/mark-paid.ts";
import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { notCompared } from "./not-compared.ts";

export const olderClaim = "Older recorded payments succeeded at the payment provider (a sample each time).";

const SAMPLE_SIZE = 100;

type RecordedPayment = Pick<PaymentRow, "purchase_id" | "amount_cents"> & { id: string };

/** A random sample of the payments before `since`, so that repeated runs cover all ages. */
export async function olderPaymentDiscrepancies(store: Store, since: Date): Promise<Discrepancy[]> {
  const { rows } = await store.pool.query<RecordedPayment>(
    `SELECT id, purchase_id, amount_cents FROM shop.payment
     WHERE status IN ('succeeded', 'refund_due', 'refunded') AND opened_at <= $1 AND ${isOfAccountInUse("payment", 3)}
     ORDER BY random() LIMIT $2`,
    [since, SAMPLE_SIZE, ...(await accountValues(store))],
  );
  const discrepancies: Discrepancy[] = [];
  await forEachTolerant(
    rows,
    async ({ id, purchase_id, amount_cents }) => {
      const intent = await store.payments.findIntent(id);
      if (intent?.status === "succeeded" && intent.amountReceivedCents === amount_cents) return;
      const providerState = intent
        ? `${intent.status}, ${formatMoney(intent.amountReceivedCents)}`
        : "unknown";
      discrepancies.push({
        claim: olderClaim,
        detail: `Payment ${id} is recorded as paid, ${formatMoney(amount_cents)}; at the payment provider it is ${providerState}.`,
        purchaseId: purchase_id,
      });
    },
    ({ id, purchase_id }, reason) => discrepancies.push(notCompared(`Payment ${id}`, reason, purchase_id)),
  );
  return discrepancies;
}
