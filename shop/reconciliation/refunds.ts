import { formatMoney } from "../money.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import { forEachTolerant } from "../payments/for-each-tolerant.ts";
import type { Refund } from "../payments/provider.ts";
import { findOwnRefund } from "../refunds/sync.ts";
import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { notCompared } from "./not-compared.ts";

export const refundsClaim = "Every recorded refund exists at the payment provider, and no other.";

const MAX_REFUNDED_PAYMENTS = 200;

interface RefundedPayment {
  payment_id: string;
  purchase_id: string;
  recorded_refunds: Record<string, number> | null;
  /** of a late payment that is refunded in full, possibly in several refunds */
  late_refund_cents: number | null;
}

const RECORDED_REFUNDS = `
  payment.id AS payment_id, payment.purchase_id,
  (SELECT jsonb_object_agg(provider_id, cents) FROM (
    -- one made in the dashboard may be recorded for several lines
    SELECT provider_id, sum(amount_cents) AS cents FROM shop.refund
    WHERE payment_id = payment.id AND status = 'done' GROUP BY provider_id) AS refunds) AS recorded_refunds,
  (SELECT amount_cents FROM shop.refund
   WHERE payment_id = payment.id AND status = 'done' AND origin = 'late' AND amount_cents = payment.amount_cents) AS late_refund_cents`;

/**
 * Of the newest payments that had a refund or could have had one, except those that could not be read. Refunds are made
 * and their webhooks arrive meanwhile: a discrepancy is checked again after `wait`.
 */
export async function refundDiscrepancies(
  store: Store,
  since: Date,
  uncertain: string[],
  wait: () => Promise<unknown>,
): Promise<Discrepancy[]> {
  const { rows } = await store.pool.query<RefundedPayment>(
    `SELECT ${RECORDED_REFUNDS}
     FROM shop.payment WHERE payment.status IN ('succeeded', 'refund_due', 'refunded') AND payment.opened_at > $1
       AND payment.id <> ALL ($3) AND ${isOfAccountInUse("payment", 4)}
     ORDER BY EXISTS (SELECT FROM shop.refund r WHERE r.payment_id = payment.id) DESC, payment.opened_at DESC LIMIT $2`,
    [since, MAX_REFUNDED_PAYMENTS, uncertain, ...(await accountValues(store))],
  );
  const found = new Map<string, Discrepancy[]>();
  const problems = await compareRefunds(store, rows, found);
  if (found.size > 0) {
    await wait();
    const again = await store.pool.query<RefundedPayment>(
      `SELECT ${RECORDED_REFUNDS} FROM shop.payment WHERE id = ANY ($1) ORDER BY opened_at DESC`,
      [[...found.keys()]],
    );
    problems.push(...(await compareRefunds(store, again.rows, found)));
  }
  return [...[...found.values()].flat(), ...problems];
}

/** Updates what was found of each payment that can be read; returns the problems of the others. */
async function compareRefunds(
  store: Store,
  payments: RefundedPayment[],
  found: Map<string, Discrepancy[]>,
): Promise<Discrepancy[]> {
  const problems: Discrepancy[] = [];
  await forEachTolerant(
    payments,
    async (payment) => {
      const discrepancies = await refundDiscrepanciesOf(store, payment);
      if (discrepancies.length > 0) found.set(payment.payment_id, discrepancies);
      else found.delete(payment.payment_id);
    },
    ({ payment_id, purchase_id }, reason) =>
      problems.push(notCompared(`The refunds of payment ${payment_id}`, reason, purchase_id)),
  );
  return problems;
}

async function refundDiscrepanciesOf(
  store: Store,
  { payment_id, purchase_id, recorded_refunds, late_refund_cents }: RefundedPayment,
): Promise<Discrepancy[]> {
  const refunds = await Array.fromAsync(store.payments.refundsOf(payment_id));
  const succeeded = refunds.filter(({ status }) => status !== "failed");
  if (
    late_refund_cents !== null &&
    succeeded.reduce((sum, { amountCents }) => sum + amountCents, 0) === late_refund_cents
  )
    return [];
  const discrepancies: Discrepancy[] = [];
  const recorded = new Map(Object.entries(recorded_refunds ?? {}));
  const add = (detail: string) =>
    discrepancies.push({ claim: refundsClaim, detail, purchaseId: purchase_id });
  for (const refund of refunds) {
    const amount = recorded.get(refund.id);
    recorded.delete(refund.id);
    if (refund.status === "failed") {
      const cents = formatMoney(refund.amountCents);
      if (amount !== undefined)
        add(
          `The refund ${refund.id} of ${cents} failed at the payment provider; it is recorded as succeeded.`,
        );
      continue;
    }
    if (amount === refund.amountCents || (await isPending(store, refund))) continue;
    add(
      amount === undefined
        ? `The payment provider refunded ${formatMoney(refund.amountCents)} of ${payment_id} (${refund.id}); it is not recorded.`
        : `The payment provider refunded ${formatMoney(refund.amountCents)} of ${payment_id} (${refund.id}); the recorded amount is ${formatMoney(amount)}.`,
    );
  }
  for (const [id, cents] of recorded) {
    add(
      `The refund ${id} of ${formatMoney(cents)} is recorded as succeeded; the payment provider does not know it.`,
    );
  }
  return discrepancies;
}

/** The provider has made the refund, and polling will record it. */
async function isPending(store: Store, refund: Refund): Promise<boolean> {
  return (await findOwnRefund(store, refund))?.status === "due";
}
