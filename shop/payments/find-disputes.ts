import type { Store } from "../store.ts";
import { accountValues, isOfAccountInUse } from "./account-in-use.ts";
import { errorMessage, forEachTolerant } from "./for-each-tolerant.ts";
import type { Dispute } from "./provider.ts";
import { PaymentUnavailable } from "./provider-errors.ts";
import { disputeEvents } from "./record-disputes.ts";
import { syncPaymentWithDisputes } from "./webhook.ts";

export interface MissingDispute {
  dispute: Dispute;
  paymentId: string;
  purchaseId: string;
}

const MAX_LISTED = 1000;
const MAX_UNDECIDED = 100;
const DAY_MS = 86_400_000;

const UNDECIDED = `
SELECT id FROM shop.payment
WHERE disputed_at IS NOT NULL AND id <> ALL ($1) AND ${isOfAccountInUse("payment", 3)} ORDER BY disputed_at LIMIT $2`;

// Events missing in the audit log, and payments whose mark differs from their disputes.
const MISSING_DISPUTES = `
WITH reported AS (
  SELECT id, payment, what, bool_or(open) OVER (PARTITION BY payment) AS open
  FROM jsonb_to_recordset($1) AS dispute (id text, payment text, what text[], open boolean)
)
SELECT reported.id, payment.id AS payment_id, payment.purchase_id
FROM reported JOIN shop.payment ON payment.id = reported.payment
WHERE reported.open <> (payment.disputed_at IS NOT NULL) OR EXISTS (
  SELECT FROM unnest(reported.what) AS needed WHERE NOT EXISTS (
    SELECT FROM shop.event WHERE subject = 'payment' AND subject_id = payment.id AND event.what = needed
      AND after->>'dispute' = reported.id))`;

/** Disputes since `since`, and those of payments with an open dispute. Calls `onFailure` for what could not be read. */
export async function listDisputes(
  store: Store,
  since: Date,
  onFailure: (what: string, reason: string) => void,
): Promise<Dispute[]> {
  const found: Dispute[] = [];
  try {
    for await (const dispute of store.payments.disputesSince(since)) {
      found.push(dispute);
      if (found.length === MAX_LISTED) break;
    }
  } catch (error) {
    onFailure("The list of disputes", errorMessage(error));
  }
  const open = found.flatMap(({ intentId, outcome }) => (intentId && outcome === "open" ? [intentId] : []));
  const values = [open, MAX_UNDECIDED, ...(await accountValues(store))];
  const { rows } = await store.pool.query<{ id: string }>(UNDECIDED, values);
  await forEachTolerant(
    rows,
    async ({ id }) => {
      found.push(...(await Array.fromAsync(store.payments.disputesOf(id))));
    },
    ({ id }, reason) => onFailure(`The disputes of payment ${id}`, reason),
  );
  return [...new Map(found.map((dispute) => [dispute.id, dispute])).values()];
}

/** Disputes of other stores are ignored. */
export async function missingDisputes(store: Store, disputes: Dispute[]): Promise<MissingDispute[]> {
  const reported = disputes.map((dispute) => ({
    id: dispute.id,
    payment: dispute.intentId,
    what: disputeEvents(dispute),
    open: dispute.outcome === "open",
  }));
  const { rows } = await store.pool.query<{ id: string; payment_id: string; purchase_id: string }>(
    MISSING_DISPUTES,
    [JSON.stringify(reported)],
  );
  return rows.map(({ id, payment_id, purchase_id }) => ({
    dispute: disputes.find((dispute) => dispute.id === id) as Dispute,
    paymentId: payment_id,
    purchaseId: purchase_id,
  }));
}

/** Does what the lost webhook would have done. A failure does not stop the remaining disputes. */
export async function syncDisputes(store: Store, days = 30): Promise<number> {
  const failures: unknown[] = [];
  // the next run retries, and the adapter has logged it
  const disputes = await listDisputes(store, new Date(Date.now() - days * DAY_MS), () => undefined);
  const paymentIds = new Set((await missingDisputes(store, disputes)).map(({ paymentId }) => paymentId));
  for (const id of paymentIds) {
    await syncPaymentWithDisputes(store, id).catch(
      (error) => error instanceof PaymentUnavailable || failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, "some disputes could not be recorded");
  return paymentIds.size;
}
