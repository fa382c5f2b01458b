import type { OrderEvent } from "../../api/order-calls.ts";
import { fromCents } from "../money.ts";
import type { Store } from "../store.ts";

interface EventRow {
  subject: "purchase" | "refund" | "payment";
  subject_id: string;
  what: string;
  at: Date;
  purchase_id: string;
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

const EVENTS = "SELECT subject, subject_id, what, at, purchase_id, after FROM shop.event";

/** A pending refund is hidden once it has a later event. Only admins see that the provider rejected a refund. */
export async function findTimeline(
  store: Store,
  purchaseId: string,
  forAdmin: boolean,
): Promise<OrderEvent[]> {
  const { rows } = await store.pool.query<EventRow>(
    `${EVENTS} WHERE purchase_id = $1 AND subject IN ('purchase', 'refund', 'payment') ORDER BY id`,
    [purchaseId],
  );
  return toEvents(rows, forAdmin).map(({ purchaseId: _, ...event }) => event);
}

/** As `findTimeline`, of all lines of an order; what happened to several lines at the same moment is one event. */
export async function findOrderTimeline(
  store: Store,
  orderId: string,
  forAdmin: boolean,
): Promise<OrderEvent[]> {
  const { rows } = await store.pool.query<EventRow>(
    `${EVENTS} WHERE purchase_id IN (SELECT id FROM shop.purchase WHERE order_id = $1)
       AND subject IN ('purchase', 'refund', 'payment') ORDER BY id`,
    [orderId],
  );
  const events: OrderEvent[] = [];
  for (const { purchaseId, ...event } of toEvents(rows, forAdmin)) {
    const last = events.at(-1);
    if (event.amount === undefined && last?.what === event.what && last.at === event.at) {
      delete last.purchaseId;
      if (last.pieces && event.pieces) last.pieces += event.pieces;
    } else events.push({ ...event, purchaseId });
  }
  return events;
}

function toEvents(rows: EventRow[], forAdmin: boolean): (OrderEvent & { purchaseId: string })[] {
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
        purchaseId: event.purchase_id,
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
