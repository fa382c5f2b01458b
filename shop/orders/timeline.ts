import type { OrderEvent } from "../../api/order-calls.ts";
import { fromCents } from "../money.ts";
import type { Store } from "../store.ts";

interface EventRow {
  subject: "purchase" | "refund" | "payment";
  subject_id: string;
  what: string;
  at: Date;
  purchase_id: string | null;
  after: {
    amount_cents?: number;
    pieces?: number;
    reason?: string;
    problem?: string;
    settled_how?: string;
  } | null;
}

const labels: Record<string, OrderEvent["what"]> = {
  "purchase placed": "placed",
  "purchase paid": "paid",
  "purchase shipped": "shipped",
  "purchase shipment undone": "shipmentUndone",
  "purchase partly shipped": "partlyShipped",
  "purchase partial shipment undone": "partialShipmentUndone",
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

/** A payment is recorded under the first line that it covers, which may be of another order. */
const eventsOf = (lines: string) => `
SELECT subject, subject_id, what, at, after, CASE WHEN subject = 'payment' AND (
    SELECT count(*) > 1 FROM shop.payment_purchase WHERE payment_id = subject_id) THEN NULL ELSE purchase_id END AS purchase_id
FROM shop.event
WHERE (purchase_id = ANY (${lines}) AND subject IN ('purchase', 'refund'))
  OR (subject = 'payment' AND subject_id = ANY (ARRAY(
    SELECT payment_id FROM shop.payment_purchase WHERE purchase_id = ANY (${lines}))))
ORDER BY id`;

const EVENTS_OF_LINE = eventsOf("ARRAY[$1::uuid]");
const EVENTS_OF_ORDER = eventsOf("ARRAY(SELECT id FROM shop.purchase WHERE order_id = $1)");

/** A pending refund is hidden once it has a later event. Only admins see that the provider rejected a refund. */
export async function findTimeline(
  store: Store,
  purchaseId: string,
  forAdmin: boolean,
): Promise<OrderEvent[]> {
  const { rows } = await store.pool.query<EventRow>(EVENTS_OF_LINE, [purchaseId]);
  return toEvents(rows, forAdmin).map(({ purchaseId: _, ...event }) => event);
}

/** As `findTimeline`, of all lines of an order; what happened to several lines at the same moment is one event. */
export async function findOrderTimeline(
  store: Store,
  orderId: string,
  forAdmin: boolean,
): Promise<OrderEvent[]> {
  const { rows } = await store.pool.query<EventRow>(EVENTS_OF_ORDER, [orderId]);
  const events: OrderEvent[] = [];
  for (const event of toEvents(rows, forAdmin)) {
    const last = events.at(-1);
    if (event.amount === undefined && last?.what === event.what && last.at === event.at) {
      delete last.purchaseId;
      if (last.pieces && event.pieces) last.pieces += event.pieces;
    } else events.push(event);
  }
  return events;
}

function toEvents(rows: EventRow[], forAdmin: boolean): OrderEvent[] {
  const reasons = new Map(
    rows.flatMap((event) => (event.after?.reason ? [[subjectKey(event), event.after.reason]] : [])),
  );
  const last = new Map(rows.map((event) => [subjectKey(event), event]));
  return rows.flatMap((event) => {
    const what = labels[`${event.subject} ${event.what}`];
    if (!what || (what === "refunding" && last.get(subjectKey(event)) !== event)) return [];
    if (what === "refundRefused" && !forAdmin) return [];
    const isPurchase = event.subject === "purchase";
    const why = event.after?.settled_how ?? event.after?.problem ?? reasons.get(subjectKey(event));
    const cents = isPurchase ? undefined : event.after?.amount_cents;
    return [
      {
        what,
        at: event.at.toISOString(),
        ...(event.purchase_id && { purchaseId: event.purchase_id }),
        ...(cents !== undefined && { amount: fromCents(cents) }),
        ...(!isPurchase && why && { reason: why }),
        ...(isPurchase && event.after?.pieces && { pieces: event.after.pieces }),
      },
    ];
  });
}

function subjectKey({ subject, subject_id }: EventRow): string {
  return `${subject} ${subject_id}`;
}
