/** The timeline of an order; that of several lines has its shipments and cancelled lines. Pure. */
import type { OrderDetails } from "../../../api/order-calls.ts";
import { count, counted } from "../../components/format.ts";
import type { TimelineEvent } from "./order-timeline.tsx";

/** Omitted from the lines' events: a shipment of the order is one event, not one per line. */
const shipmentEvents = new Set<TimelineEvent["what"]>([
  "shipped",
  "shipmentUndone",
  "partlyShipped",
  "partialShipmentUndone",
]);

const shipmentsOfAllPieces: Partial<Record<TimelineEvent["what"], TimelineEvent["what"]>> = {
  partlyShipped: "shipped",
  partialShipmentUndone: "shipmentUndone",
};

/** Of an order of one line. A shipment of the last pieces is one event, although both are recorded. */
export function lineTimelineOf(events: TimelineEvent[]): TimelineEvent[] {
  const keys = new Set(events.map(({ what, at }) => `${what} ${at}`));
  return events.filter(({ what, at }) => !keys.has(`${shipmentsOfAllPieces[what]} ${at}`));
}

/** Oldest first. */
export function timelineOf(order: OrderDetails): TimelineEvent[] {
  const names = new Map(order.lines.map((line) => [line._id, line.productName]));
  const events = order.timeline
    .filter(({ what }) => !shipmentEvents.has(what))
    .map(({ purchaseId = "", pieces: _, ...event }) => {
      const note = names.get(purchaseId);
      return { ...event, ...(note && { note }) };
    });
  return [...events, ...cancellationsOf(order), ...shipmentsOf(order)].toSorted((one, other) =>
    one.at.localeCompare(other.at),
  );
}

/** Lines cancelled together are one event. */
function cancellationsOf({ lines }: OrderDetails): TimelineEvent[] {
  const cancelled = Map.groupBy(lines, ({ cancelledAt = "" }) => cancelledAt);
  cancelled.delete("");
  return [...cancelled].map(([at, cancelledLines]) => ({
    what: "cancelled",
    at,
    note:
      cancelledLines.length === 1
        ? (cancelledLines[0]?.productName ?? "")
        : counted(cancelledLines.length, "line"),
  }));
}

function shipmentsOf({ shipments, pieces }: OrderDetails): TimelineEvent[] {
  let shippedPieces = 0;
  return shipments.map(({ shippedAt, number, lines }) => {
    shippedPieces += lines.reduce((sum, { quantity }) => sum + quantity, 0);
    return {
      what: shippedPieces < pieces ? "partlyShipped" : "shipped",
      at: shippedAt,
      note: `Shipment ${number}, ${count(shippedPieces)} of ${counted(pieces, "piece")}`,
      partial: shippedPieces < pieces,
    };
  });
}
