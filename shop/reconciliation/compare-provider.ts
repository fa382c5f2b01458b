import { setTimeout as pause } from "node:timers/promises";
import { formatMoney } from "../money.ts";
import { accountValues, isOfAccountInUse } from "../payments/account-in-use.ts";
import { forEachTolerant } from "../payments/for-each-tolerant.ts";
import type { Intent, Refund } from "../payments/provider.ts";
import { PaymentUnavailable } from "../payments/provider-errors.ts";
import { findOwnRefund } from "../refunds/sync.ts";
import type { Store } from "../store.ts";
import type { Discrepancy } from "./check.ts";
import { chunksOfHundred } from "./chunk.ts";
import { disputeDiscrepancies, disputesClaim } from "./disputes.ts";
import { olderClaim, olderPaymentDiscrepancies } from "./older-payments.ts";

const recordedClaim = "Every payment that succeeded at the payment provider is recorded with its order.";
const succeededClaim = "Every recorded payment succeeded at the payment provider, with the same amount.";
const knownClaim = "The payment provider knows every recorded payment.";
const refundsClaim = "Every recorded refund exists at the payment provider, and no other.";
const reachableClaim = "The payment provider can be reached.";

export const providerClaims = [
  recordedClaim,
  succeededClaim,
  knownClaim,
  olderClaim,
  refundsClaim,
  disputesClaim,
  reachableClaim,
];

const DAY_MS = 86_400_000;
const MAX_REFUNDED_PAYMENTS = 200;

/** A payment is recorded moments after it succeeds: a discrepancy is checked again after `recheckAfterMs`. */
export async function compareWithProvider(
  store: Store,
  days: number,
  recheckAfterMs: number,
): Promise<Discrepancy[]> {
  const since = new Date(Date.now() - days * DAY_MS);
  const { firstFindings, succeeded, problem } = await readList(store, since);
  if (problem !== null) {
    const detail = `The payment provider's list could not be read, so nothing more was compared. ${problem}`;
    return [...firstFindings.values(), { claim: reachableClaim, detail }];
  }
  const discrepancies: Discrepancy[] = [];
  if (firstFindings.size > 0) await pause(recheckAfterMs);
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
  discrepancies.push(...unchecked.values());
  const missing = await missingAtProvider(store, since, succeeded);
  discrepancies.push(
    ...missing.discrepancies,
    ...(await olderPaymentDiscrepancies(store, since, notCompared)),
  );
  discrepancies.push(...(await refundDiscrepancies(store, since, missing.uncertain, recheckAfterMs)));
  return [...discrepancies, ...(await disputeDiscrepancies(store, since, recheckAfterMs, notCompared))];
}

function notCompared(what: string, reason: string, purchaseId?: string): Discrepancy {
  const detail = `${what} could not be compared. ${reason}`;
  return { claim: reachableClaim, detail, ...(purchaseId && { purchaseId }) };
}

interface ProviderList {
  firstFindings: Map<string, Discrepancy>;
  succeeded: string[];
  problem: string | null;
}

async function readList(store: Store, since: Date): Promise<ProviderList> {
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

interface RecordedPayment {
  id: string;
  status: string;
  amount_cents: number;
  purchase_id: string;
}

async function discrepanciesOf(
  store: Store,
  intents: Intent[],
): Promise<{ id: string; discrepancy: Discrepancy }[]> {
  // the provider's account may have payments of other applications
  const succeeded = intents.filter(({ status, purchaseId }) => status === "succeeded" && purchaseId);
  const { rows } = await store.pool.query<RecordedPayment>(
    "SELECT id, status, amount_cents, purchase_id FROM shop.payment WHERE id = ANY ($1)",
    [succeeded.map(({ id }) => id)],
  );
  const recorded = new Map(rows.map((row) => [row.id, row]));
  return succeeded.flatMap((intent) => {
    const discrepancy = discrepancyOf(intent, recorded.get(intent.id));
    return discrepancy ? [{ id: intent.id, discrepancy }] : [];
  });
}

function discrepancyOf(intent: Intent, recorded: RecordedPayment | undefined): Discrepancy | null {
  const amount = formatMoney(intent.amountReceivedCents);
  if (!recorded) {
    return {
      claim: recordedClaim,
      detail: `The payment provider received ${amount} with ${intent.id} for order ${intent.purchaseId}; this payment is not recorded.`,
    };
  }
  const link = { purchaseId: recorded.purchase_id };
  if (recorded.amount_cents !== intent.amountReceivedCents) {
    return {
      ...link,
      claim: succeededClaim,
      detail: `The payment provider received ${amount} with ${intent.id}; the recorded amount is ${formatMoney(recorded.amount_cents)}.`,
    };
  }
  if (recorded.status === "open" || recorded.status === "cancelled") {
    return {
      ...link,
      claim: recordedClaim,
      detail: `The payment provider received ${amount} with ${intent.id} for order ${recorded.purchase_id}; this payment is recorded as ${recorded.status}.`,
    };
  }
  return null;
}

/** Our payments missing in the provider's list; `uncertain` are those whose refunds could not be read. */
async function missingAtProvider(store: Store, since: Date, succeeded: string[]) {
  const { rows } = await store.pool.query<RecordedPayment>(
    `SELECT id, status, amount_cents, purchase_id FROM shop.payment
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
 * and their webhooks arrive meanwhile: a discrepancy is checked again after `recheckAfterMs`.
 */
async function refundDiscrepancies(
  store: Store,
  since: Date,
  uncertain: string[],
  recheckAfterMs: number,
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
    await pause(recheckAfterMs);
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
