import type { Store } from "../store.ts";
import { accountValues, ofAccount } from "./account-in-use.ts";
import { errorMessage, forEachTolerant } from "./for-each-tolerant.ts";
import type { Dispute } from "./provider.ts";
import { PaymentUnavailable } from "./provider-errors.ts";
import { disputeEvent } from "./record-disputes.ts";
import { handleDispute } from "./webhook.ts";

/** A dispute that the history does not tell of as it is now. */
export interface MissingDispute {
  dispute: Dispute;
  paymentId: string;
  purchaseId: string;
}

/** Of the newest; ten pages of the provider's list. */
const MOST_LISTED = 1000;
const MOST_UNDECIDED = 100;
const DAY_MS = 86_400_000;

const UNDECIDED = `
SELECT id FROM shop.payment
WHERE disputed_at IS NOT NULL AND id <> ALL ($1) AND ${ofAccount("payment", 3)} ORDER BY disputed_at LIMIT $2`;

// What is missing in the history, and payments marked otherwise than their disputes are.
const MISSING_DISPUTES = `
WITH told AS (
  SELECT id, payment, what, bool_or(open) OVER (PARTITION BY payment) AS open
  FROM jsonb_to_recordset($1) AS one (id text, payment text, what text[], open boolean)
)
SELECT told.id, payment.id AS payment_id, payment.purchase_id
FROM told JOIN shop.payment ON payment.id = told.payment
WHERE told.open <> (payment.disputed_at IS NOT NULL) OR EXISTS (
  SELECT FROM unnest(told.what) AS needed WHERE NOT EXISTS (
    SELECT FROM shop.event WHERE subject = 'payment' AND subject_id = payment.id AND event.what = needed
      AND after->>'dispute' = told.id))`;

/**
 * The disputes at the provider that this store has to know of: those made since then, and those of payments that it
 * takes to be undecided, however old. What could not be read is told to `failed`.
 */
export async function listDisputes(
  store: Store,
  since: Date,
  failed: (what: string, why: string) => void,
): Promise<Dispute[]> {
  const found: Dispute[] = [];
  try {
    for await (const dispute of store.payments.disputesSince(since)) {
      found.push(dispute);
      if (found.length === MOST_LISTED) break;
    }
  } catch (error) {
    failed("The list of disputes", errorMessage(error));
  }
  const open = found.flatMap(({ intentId, outcome }) => (intentId && outcome === "open" ? [intentId] : []));
  const values = [open, MOST_UNDECIDED, ...(await accountValues(store))];
  const { rows } = await store.pool.query<{ id: string }>(UNDECIDED, values);
  await forEachTolerant(
    rows,
    async ({ id }) => {
      found.push(...(await Array.fromAsync(store.payments.disputesOf(id))));
    },
    ({ id }, why) => failed(`The disputes of payment ${id}`, why),
  );
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** Those of them that the history does not tell of, each with its order. What is not of this store is left out. */
export async function missingDisputes(store: Store, disputes: Dispute[]): Promise<MissingDispute[]> {
  const told = disputes.map((one) => ({
    id: one.id,
    payment: one.intentId,
    what: disputeEvent(one),
    open: one.outcome === "open",
  }));
  const { rows } = await store.pool.query<{ id: string; payment_id: string; purchase_id: string }>(
    MISSING_DISPUTES,
    [JSON.stringify(told)],
  );
  return rows.map(({ id, payment_id, purchase_id }) => ({
    dispute: disputes.find((one) => one.id === id) as Dispute,
    paymentId: payment_id,
    purchaseId: purchase_id,
  }));
}

/**
 * Finds disputes whose webhook was lost, made or decided, and does what the webhook would have done. Returns how
 * many payments that were; an absent provider is asked again in the next round. One that fails does not keep the
 * others from being written down.
 */
export async function syncDisputes(store: Store, days = 30): Promise<number> {
  const failures: unknown[] = [];
  // what could not be read is read in the next round, and the adapter has reported it
  const disputes = await listDisputes(store, new Date(Date.now() - days * DAY_MS), () => undefined);
  const found = new Set((await missingDisputes(store, disputes)).map(({ paymentId }) => paymentId));
  for (const id of found) {
    await handleDispute(store, id).catch(
      (error) => error instanceof PaymentUnavailable || failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, "some disputes could not be written down");
  return found.size;
}
