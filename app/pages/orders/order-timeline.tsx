import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Output } from "../../../api/contract.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { DateTime } from "../../components/date-time.tsx";
import { dollars } from "../../components/format.ts";
import { TransactionId } from "../../components/transaction-id.tsx";
import type { FulfillmentStatus } from "./fulfillment-status.ts";
import { HoldExpiry } from "./hold-expiry.tsx";

export type PurchaseDetails = Output<"findOrder">;

type OrderEvent = PurchaseDetails["timeline"][number];

export interface TimelineEvent extends Omit<OrderEvent, "what"> {
  what: OrderEvent["what"] | "cancelled";
  /** the lines or pieces concerned */
  note?: string;
  /** less than all pieces */
  partial?: boolean;
}

export interface TimelineStatus {
  status: FulfillmentStatus | "partly_shipped" | "cancelled";
  keptUntil?: string | undefined;
  /** of the payment of all lines */
  transactionId?: string | undefined;
}

type Side = "buyer" | "admin";

const eventLabels: Record<TimelineEvent["what"], string> = {
  placed: "Placed",
  paid: labels.orders.paid,
  shipped: labels.orders.shipping,
  shipmentUndone: "Shipment undone",
  partlyShipped: "Partly shipped",
  partialShipmentUndone: "Shipment undone",
  refunding: "Refund pending",
  refunded: labels.orders.refunded,
  refundRefused: "Refund refused by the payment provider",
  refundReturned: "Refund failed",
  refundSettled: "Refunded manually",
  returned: "Pieces restocked",
  disputed: "Payment disputed",
  disputeWon: "Dispute won",
  disputeLost: "Dispute lost",
  cancelled: "Cancelled",
};

/** The remaining steps after the events so far. */
const upcomingSteps = (
  side: Side,
): Partial<Record<TimelineStatus["status"], { title: string; text: string }[]>> => ({
  unpaid: [
    { title: "Payment", text: `Waiting for ${side === "admin" ? "the buyer's" : "your"} card payment.` },
    { title: "Shipment", text: "Starts after successful payment." },
  ],
  paid: [{ title: "Shipment", text: "Starts now. Delivery takes 24 to 72 working hours." }],
  partly_shipped: [{ title: "Shipment", text: "The other pieces follow." }],
});

interface OrderTimelineProps {
  events: TimelineEvent[];
  order: TimelineStatus;
  /** the buyer sees Shipping where the admin sees Shipped (specification, section 4) */
  side: Side;
  children?: ReactNode;
}

/** The events of an order, oldest first, then the remaining steps; `children` are shown at the next step. */
export function OrderTimeline({ events, order, side, children }: OrderTimelineProps) {
  const upcoming = upcomingSteps(side)[order.status] ?? [];
  return (
    <ol className="timeline">
      {events.map((event) => (
        <TimelineEntry
          key={[event.what, event.at, event.note].join(" ")}
          event={event}
          order={order}
          side={side}
        />
      ))}
      {upcoming.map(({ title, text }, index) => (
        <li key={title}>
          <b>{title}</b>
          <span>{text}</span>
          {index === 0 && <HoldExpiry keptUntil={order.keptUntil} />}
          {index === 0 && children}
        </li>
      ))}
    </ol>
  );
}

interface TimelineEntryProps {
  event: TimelineEvent;
  order: TimelineStatus;
  side: Side;
}

function TimelineEntry({ event, order, side }: TimelineEntryProps) {
  const { what, at, amount, reason, note, partial } = event;
  const title = what === "shipped" && side === "admin" ? labels.orders.shipped : eventLabels[what];
  return (
    <li className={partial ? "timeline__part" : "timeline__done"}>
      <b>
        {title}
        {amount !== undefined && `, ${dollars(amount)}`}
      </b>
      {note && <span>{note}</span>}
      {reason && <span>{reason}</span>}
      {what === "refundReturned" && side === "admin" && (
        <Link className="link" to="/dashboard/reconciliation">
          Resolve
        </Link>
      )}
      <DateTime time at={at} />
      {what === "paid" && order.transactionId && <TransactionId id={order.transactionId} />}
    </li>
  );
}
