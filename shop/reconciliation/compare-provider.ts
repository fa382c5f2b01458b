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

const moneyClaim = "Every payment that succeeded at the payment provider is recorded with its order.";
const oursClaim = "Every recorded payment succeeded at the payment provider, with the same amount.";
const knownClaim = "The payment provider knows every recorded payment.";
const refundsClaim = "Every recorded refund exists at the payment provider, and no other.";
const reachableClaim = "The payment provider can be reached.";

export const providerClaims = [
  moneyClaim,
  oursClaim,
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
  await forEachTolerant(
    firstFindings.keys(),
    async (id) => {
      const now = await store.payments.findIntent(id);
      if (now)
        discrepancies.push(...(await discrepanciesOf(store, [now])).map(({ discrepancy }) => discrepancy));
    },
    (id, why) => discrepancies.push(firstFindings.get(id) as Discrepancy, notCompared(`Payment ${id}`, why)),
  );
  const missing = await missingAtProvider(store, since, succeeded);
  discrepancies.push(
    ...missing.discrepancies,
    ...(await olderPaymentDiscrepancies(store, since, notCompared)),
  );
  discrepancies.push(...(await refundDiscrepancies(store, since, missing.uncertain)));
  return [...discrepancies, ...(await disputeDiscrepancies(store, since, recheckAfterMs, notCompared))];
}

function notCompared(what: string, why: string, purchaseId?: string): Discrepancy {
  const detail = `${what} could not be compared. ${why}`;
  return { claim: reachableClaim, detail, ...(purchaseId && { purchaseId }) };
}

interface Listed {
  firstFindings: Map<string, Discrepancy>;
  succeeded: string[];
  problem: string | null;
}

async function readList(store: Store, since: Date): Promise<Listed> {
  const listed: Listed = { firstFindings: new Map(), succeeded: [], problem: null };
  try {
    for await (const intents of chunksOfHundred(store.payments.intentsSince(since))) {
      for (const { id, discrepancy } of await discrepanciesOf(store, intents))
        listed.firstFindings.set(id, discrepancy);
      const paid = intents.filter(({ status }) => status === "succeeded");
      listed.succeeded.push(...paid.map(({ id }) => id));
    }
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    listed.problem = error.message;
  }
  return listed;
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
  const ours = intents.filter(({ status, purchaseId }) => status === "succeeded" && purchaseId);
  const { rows } = await store.pool.query<RecordedPayment>(
    "SELECT id, status, amount_cents, purchase_id FROM shop.payment WHERE id = ANY ($1)",
    [ours.map(({ id }) => id)],
  );
  const recorded = new Map(rows.map((row) => [row.id, row]));
  return ours.flatMap((intent) => {
    const discrepancy = discrepancyOf(intent, recorded.get(intent.id));
    return discrepancy ? [{ id: intent.id, discrepancy }] : [];
  });
}

function discrepancyOf(intent: Intent, recorded: RecordedPayment | undefined): Discrepancy | null {
  const amount = formatMoney(intent.amountReceivedCents);
  if (!recorded) {
    return {
      claim: moneyClaim,
      detail: `The payment provider received ${amount} with ${intent.id} for order ${intent.purchaseId}; this payment is not recorded.`,
    };
  }
  const link = { purchaseId: recorded.purchase_id };
  if (recorded.amount_cents !== intent.amountReceivedCents) {
    return {
      ...link,
      claim: oursClaim,
      detail: `The payment provider received ${amount} with ${intent.id}; the recorded amount is ${formatMoney(recorded.amount_cents)}.`,
    };
  }
  if (recorded.status === "open" || recorded.status === "cancelled") {
    return {
      ...link,
      claim: moneyClaim,
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
      const ours = `Payment ${payment.id} of ${formatMoney(payment.amount_cents)} is recorded as ${payment.status};`;
      discrepancies.push({
        claim: intent ? oursClaim : knownClaim,
        detail: intent
          ? `${ours} at the payment provider it is ${intent.status}.`
          : `${ours} the payment provider does not know it. It may belong to other keys than those in use.`,
        purchaseId: payment.purchase_id,
      });
    },
    ({ id, purchase_id }, why) => {
      uncertain.push(id);
      discrepancies.push(notCompared(`Payment ${id}`, why, purchase_id));
    },
  );
  return { discrepancies, uncertain };
}

interface KeptRefund {
  payment_id: string;
  purchase_id: string;
  done: Record<string, number> | null;
  /** of a late payment that is refunded as a whole, in whatever parts */
  whole_cents: number | null;
}

/** Of the newest payments that had a refund or could have had one, except those that could not be read. */
async function refundDiscrepancies(store: Store, since: Date, uncertain: string[]): Promise<Discrepancy[]> {
  const { rows } = await store.pool.query<KeptRefund>(
    `SELECT y.id AS payment_id, y.purchase_id,
       (SELECT jsonb_object_agg(provider_id, cents) FROM (
         -- one made in the dashboard may be recorded for several lines
         SELECT provider_id, sum(amount_cents) AS cents FROM shop.refund
         WHERE payment_id = y.id AND status = 'done' GROUP BY provider_id) AS made) AS done,
       (SELECT amount_cents FROM shop.refund
        WHERE payment_id = y.id AND status = 'done' AND origin = 'late' AND amount_cents = y.amount_cents) AS whole_cents
     FROM shop.payment y WHERE y.status IN ('succeeded', 'refund_due', 'refunded') AND y.opened_at > $1
       AND y.id <> ALL ($3) AND ${isOfAccountInUse("y", 4)}
     ORDER BY EXISTS (SELECT FROM shop.refund r WHERE r.payment_id = y.id) DESC, y.opened_at DESC LIMIT $2`,
    [since, MAX_REFUNDED_PAYMENTS, uncertain, ...(await accountValues(store))],
  );
  const discrepancies: Discrepancy[] = [];
  await forEachTolerant(
    rows,
    async (payment) => {
      discrepancies.push(...(await refundDiscrepanciesOf(store, payment)));
    },
    ({ payment_id, purchase_id }, why) =>
      discrepancies.push(notCompared(`The refunds of payment ${payment_id}`, why, purchase_id)),
  );
  return discrepancies;
}

async function refundDiscrepanciesOf(
  store: Store,
  { payment_id, purchase_id, done, whole_cents }: KeptRefund,
): Promise<Discrepancy[]> {
  const made = await Array.fromAsync(store.payments.refundsOf(payment_id));
  const kept = made.filter(({ status }) => status !== "failed");
  if (whole_cents !== null && kept.reduce((sum, { amountCents }) => sum + amountCents, 0) === whole_cents)
    return [];
  const discrepancies: Discrepancy[] = [];
  const ours = new Map(Object.entries(done ?? {}));
  const add = (detail: string) =>
    discrepancies.push({ claim: refundsClaim, detail, purchaseId: purchase_id });
  for (const theirs of made) {
    const amount = ours.get(theirs.id);
    ours.delete(theirs.id);
    if (theirs.status === "failed") {
      const cents = formatMoney(theirs.amountCents);
      if (amount !== undefined)
        add(
          `The refund ${theirs.id} of ${cents} failed at the payment provider; it is recorded as succeeded.`,
        );
      continue;
    }
    if (amount === theirs.amountCents || (await isDue(store, theirs))) continue;
    add(
      amount === undefined
        ? `The payment provider refunded ${formatMoney(theirs.amountCents)} of ${payment_id} (${theirs.id}); it is not recorded.`
        : `The payment provider refunded ${formatMoney(theirs.amountCents)} of ${payment_id} (${theirs.id}); the recorded amount is ${formatMoney(amount)}.`,
    );
  }
  for (const [id, cents] of ours) {
    add(
      `The refund ${id} of ${formatMoney(cents)} is recorded as succeeded; the payment provider does not know it.`,
    );
  }
  return discrepancies;
}

/** The provider has made the refund, and polling will record it. */
async function isDue(store: Store, refund: Refund): Promise<boolean> {
  return (await findOwnRefund(store, refund))?.status === "due";
}
