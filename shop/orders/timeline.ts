import type { OrderEvent } from "../../api/order-calls.ts";
import { fromCents } from "../money.ts";
import type { Store } from "../store.ts";

interface EventRow {
  subject: "purchase" | "refund" | "payment";
  subject_id: string;
  what: string;
  at: Date;
  after: { amount_cents?: number; reason?: string; problem?: string; settled_how?: string } | null;
}

const labels: Record<string, OrderEvent["what"]> = {
  "purchase placed": "placed",
  "purchase paid": "paid",
  "purchase shipped": "shipped",
  "purchase shipment undone": "shipmentUndone",
  "purchase returned": "returned",
  "refund asked": "refunding",
  "refund done": "refunded",
  "refund refused": "refundRefused",
  "refund failed": "refundReturned",
  "refund settled": "refundSettled",
  "payment disputed": "disputed",
  "payment dispute won": "disputeWon",
  "payment dispute lost": "disputeLost",
};

/**
 * The events of a purchase from the audit log, oldest first. A pending refund is hidden once a later event for the same
 * refund exists. Only admins see that the provider rejected a refund.
 */
export async function findTimeline(
  store: Store,
  purchaseId: string,
  forAdmin: boolean,
): Promise<OrderEvent[]> {
  const { rows } = await store.pool.query<EventRow>(
    `SELECT subject, subject_id, what, at, after FROM shop.event
     WHERE purchase_id = $1 AND subject IN ('purchase', 'refund', 'payment') ORDER BY id`,
    [purchaseId],
  );
  const reasons = new Map(
    rows.flatMap((event) => (event.after?.reason ? [[refundOf(event), event.after.reason]] : [])),
  );
  const isOver = (event: EventRow, place: number) =>
    rows.slice(place + 1).some((later) => refundOf(later) === refundOf(event));
  return rows.flatMap((event, place) => {
    const what = labels[`${event.subject} ${event.what}`];
    if (!what || (what === "refunding" && isOver(event, place))) return [];
    if (what === "refundRefused" && !forAdmin) return [];
    const why = event.after?.settled_how ?? event.after?.problem ?? reasons.get(refundOf(event));
    const reason = event.subject === "purchase" ? undefined : why;
    const cents = event.subject === "purchase" ? undefined : event.after?.amount_cents;
    return [
      {
        what,
        at: event.at.toISOString(),
        ...(cents !== undefined && { amount: fromCents(cents) }),
        ...(reason && { reason }),
      },
    ];
  });
}

function refundOf({ subject, subject_id }: EventRow): string {
  return `${subject} ${subject_id}`;
}
