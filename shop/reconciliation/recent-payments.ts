import { formatMoney } from "../money.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import { forEachTolerant } from "../payments/for-each-tolerant.ts";
import type { PaymentRow } from "../payments/mark-paid.ts";
import type { Intent } from "../payments/provider.ts";
import { PaymentUnavailable } from "../payments/provider-errors.ts";
import { isAsAsked, isReturned } from "../payments/unmatched.ts";
import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { chunksOfHundred } from "./chunk.ts";
import { notCompared } from "./not-compared.ts";

export const recordedClaim =
  "Every payment that succeeded at the payment provider is recorded with its order.";
export const succeededClaim =
  "Every recorded payment succeeded at the payment provider, with the same amount.";
export const knownClaim = "The payment provider knows every recorded payment.";

interface ProviderList {
  firstFindings: Map<string, Discrepancy>;
  succeeded: string[];
  problem: string | null;
}

/** Those that succeeded, and the findings; `problem` is why the list could not be read to its end. */
export async function readList(store: Store, since: Date): Promise<ProviderList> {
  const list: ProviderList = { firstFindings: new Map(), succeeded: [], problem: null };
  try {
    for await (const intents of chunksOfHundred(store.payments.intentsSince(since))) {
      for (const { id, discrepancy } of await discrepanciesOf(store, intents))
        list.firstFindings.set(id, discrepancy);
      const paid = intents.filter(({ status }) => status === "succeeded");
      list.succeeded.push(...paid.map(({ id }) => id));
    }
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    list.problem = error.message;
  }
  return list;
}

/** A payment is recorded moments after it succeeds: what was found is checked again after `wait`. */
export async function recheck(
  store: Store,
  firstFindings: Map<string, Discrepancy>,
  wait: () => Promise<unknown>,
): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  if (firstFindings.size > 0) await wait();
  const unchecked = new Map(firstFindings);
  await forEachTolerant(
    firstFindings.keys(),
    async (id) => {
      const intent = await store.payments.findIntent(id);
      if (intent)
        discrepancies.push(...(await discrepanciesOf(store, [intent])).map(({ discrepancy }) => discrepancy));
      unchecked.delete(id);
    },
    (id, reason) => discrepancies.push(notCompared(`Payment ${id}`, reason)),
  );
  return [...discrepancies, ...unchecked.values()];
}

type RecordedPayment = PaymentRow & { id: string };

async function discrepanciesOf(
  store: Store,
  intents: Intent[],
): Promise<{ id: string; discrepancy: Discrepancy }[]> {
  const succeeded = intents.filter(({ status }) => status === "succeeded");
  const { rows } = await store.pool.query<RecordedPayment>(
    "SELECT id, status, amount_cents, purchase_id, loose FROM shop.payment WHERE id = ANY ($1)",
    [succeeded.map(({ id }) => id)],
  );
  const recorded = new Map(rows.map((row) => [row.id, row]));
  const found: { id: string; discrepancy: Discrepancy }[] = [];
  for (const intent of succeeded) {
    const payment = recorded.get(intent.id);
    // the provider's account may have payments of other applications
    if (!payment && !intent.purchaseId) continue;
    const discrepancy = discrepancyOf(intent, payment);
    const isResolved = discrepancy && payment?.status === "cancelled" && (await isReturned(store, intent));
    if (discrepancy && !isResolved) found.push({ id: intent.id, discrepancy });
  }
  return found;
}

function formatReceived({ amountReceivedCents, currency }: Intent): string {
  return currency === "usd"
    ? formatMoney(amountReceivedCents)
    : `${amountReceivedCents} ${currency.toUpperCase()} (in its smallest unit)`;
}

function discrepancyOf(intent: Intent, recorded: RecordedPayment | undefined): Discrepancy | null {
  const amount = formatReceived(intent);
  if (!recorded) {
    return {
      claim: recordedClaim,
      detail: `The payment provider received ${amount} with ${intent.id} for order ${intent.purchaseId}; this payment is not recorded.`,
    };
  }
  const link = { purchaseId: recorded.purchase_id };
  const isPaidBy = recorded.status !== "open" && recorded.status !== "cancelled";
  if (!isPaidBy && !isAsAsked(intent, recorded)) {
    const { amount_cents, purchase_id } = recorded;
    const named = intent.purchaseId === purchase_id ? "" : `, named for order ${intent.purchaseId ?? "none"}`;
    return {
      ...link,
      claim: succeededClaim,
      detail: `The payment provider received ${amount} with ${intent.id}${named}; it was to be ${formatMoney(amount_cents)} for order ${purchase_id}, which it does not pay. Refund it in the provider's dashboard; then the order can be paid or cancelled.`,
    };
  }
  if (recorded.amount_cents !== intent.amountReceivedCents) {
    return {
      ...link,
      claim: succeededClaim,
      detail: `The payment provider received ${amount} with ${intent.id}; the recorded amount is ${formatMoney(recorded.amount_cents)}.`,
    };
  }
  if (!isPaidBy) {
    return {
      ...link,
      claim: recordedClaim,
      detail: `The payment provider received ${amount} with ${intent.id} for order ${recorded.purchase_id}; this payment is recorded as ${recorded.status}.`,
    };
  }
  return null;
}

/** Our payments missing in the provider's list; `uncertain` are those whose refunds could not be read. */
export async function missingAtProvider(store: Store, since: Date, succeeded: string[]) {
  const { rows } = await store.pool.query<RecordedPayment>(
    `SELECT id, status, amount_cents, purchase_id, loose FROM shop.payment
     WHERE status IN ('succeeded', 'refund_due', 'refunded') AND opened_at > $1 AND id <> ALL ($2)
       AND ${isOfAccountInUse("payment", 3)}`,
    [since, succeeded, ...(await accountValues(store))],
  );
  const discrepancies: Discrepancy[] = [];
  const uncertain: string[] = [];
  await forEachTolerant(
    rows,
    async (payment) => {
      // the list was read earlier; later payments are fetched individually
      const intent = await store.payments.findIntent(payment.id);
      if (intent?.status === "succeeded") return;
      if (!intent) uncertain.push(payment.id);
      const recorded = `Payment ${payment.id} of ${formatMoney(payment.amount_cents)} is recorded as ${payment.status};`;
      discrepancies.push({
        claim: intent ? succeededClaim : knownClaim,
        detail: intent
          ? `${recorded} at the payment provider it is ${intent.status}.`
          : `${recorded} the payment provider does not know it. It may belong to other keys than those in use.`,
        purchaseId: payment.purchase_id,
      });
    },
    ({ id, purchase_id }, reason) => {
      uncertain.push(id);
      discrepancies.push(notCompared(`Payment ${id}`, reason, purchase_id));
    },
  );
  return { discrepancies, uncertain };
}
