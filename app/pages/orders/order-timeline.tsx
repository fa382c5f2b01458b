import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Answer } from "../../../api/contract.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { DateTime } from "../../components/date-time.tsx";
import { dollars } from "../../components/format.ts";
import { TransactionId } from "../../components/transaction-id.tsx";
import { type FulfillmentStatus, fulfillmentStatusOf } from "./fulfillment-status.ts";
import { HoldExpiry } from "./hold-expiry.tsx";

export type Order = Answer<"findOrder">;

type OrderEvent = Order["timeline"][number];

type Side = "buyer" | "admin";

const eventLabels: Record<OrderEvent["what"], string> = {
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
  returned: "Items restocked",
  disputed: "Payment disputed",
  disputeWon: "Dispute won",
  disputeLost: "Dispute lost",
};

/** What is still to come, after what has happened. */
const upcomingSteps = (
  side: Side,
): Partial<Record<FulfillmentStatus, { title: string; text: string }[]>> => ({
  unpaid: [
    { title: "Payment", text: `Waiting for ${side === "admin" ? "the buyer's" : "your"} card payment.` },
    { title: "Shipment", text: "Starts after successful payment." },
  ],
  paid: [{ title: "Shipment", text: "Starts now. Delivery takes 24 to 72 working hours." }],
});

interface OrderTimelineProps {
  order: Order;
  /** the buyer reads Shipping where the admin reads Shipped (specification, section 4) */
  side: Side;
  children?: ReactNode;
}

/** What became of an order, oldest first, then what is still to come; `children` stand at the next step. */
export function OrderTimeline({ order, side, children }: OrderTimelineProps) {
  const events: OrderEvent[] = order.timeline;
  const coming = upcomingSteps(side)[fulfillmentStatusOf(order)] ?? [];
  return (
    <ol className="timeline">
      {events.map((event) => (
        <TimelineEntry key={event.what + event.at} event={event} order={order} side={side} />
      ))}
      {coming.map(({ title, text }, place) => (
        <li key={title}>
          <b>{title}</b>
          <span>{text}</span>
          {place === 0 && <HoldExpiry order={order} />}
          {place === 0 && children}
        </li>
      ))}
    </ol>
  );
}

interface HappenedProps {
  event: OrderEvent;
  order: Order;
  side: Side;
}

function TimelineEntry({ event: { what, at, amount, reason }, order, side }: HappenedProps) {
  const title = what === "shipped" && side === "admin" ? labels.orders.shipped : eventLabels[what];
  return (
    <li className="timeline__done">
      <b>
        {title}
        {amount !== undefined && `, ${dollars(amount)}`}
      </b>
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
