import type { ReactNode } from "react";
import type { Answer } from "../../api/contract.ts";
import { labels } from "../../shop/messages.ts";
import { dollars } from "../ui/format.ts";
import { Moment } from "../ui/moment.tsx";
import { TransactionId } from "../ui/transaction-id.tsx";
import { type Stand, standOf } from "./stand.ts";

export type Order = Answer<"findOrder">;

/** An event of the contract; a refund and a dispute have an amount and a reason. */
interface OrderEvent {
  what: string;
  at: string;
  amount?: number | undefined;
  reason?: string | undefined;
}

const words: Record<string, string> = {
  placed: "Placed",
  paid: labels.orders.paid,
  shipped: labels.orders.shipping,
  refunding: "Refund on its way",
  refunded: labels.orders.refunded,
  refundRefused: "Refund refused by the card provider",
  returned: "Goods returned",
  disputed: "Payment disputed",
  disputeWon: "Dispute decided for the store",
  disputeLost: "Dispute decided for the cardholder",
};

/** What is still to come, after what has happened. */
const ahead: Partial<Record<Stand, { title: string; text: string }[]>> = {
  unpaid: [
    { title: "Payment", text: "Waiting for your card payment." },
    { title: "Shipment", text: "Starts after successful payment." },
  ],
  paid: [{ title: "Shipment", text: "Starts now. Delivery takes 24 to 72 working hours." }],
};

/** What became of an order, oldest first, then what is still to come; `children` stand at the next step. */
export function OrderTimeline({ order, children }: { order: Order; children?: ReactNode }) {
  const events: OrderEvent[] = order.timeline;
  const coming = ahead[standOf(order)] ?? [];
  return (
    <ol className="timeline">
      {events.map((event) => (
        <Happened key={event.what + event.at} event={event} order={order} />
      ))}
      {coming.map(({ title, text }, place) => (
        <li key={title}>
          <b>{title}</b>
          <span>{text}</span>
          {place === 0 && children}
        </li>
      ))}
    </ol>
  );
}

function Happened({ event: { what, at, amount, reason }, order }: { event: OrderEvent; order: Order }) {
  return (
    <li className="timeline__done">
      <b>
        {words[what] ?? what}
        {amount !== undefined && `, ${dollars(amount)}`}
      </b>
      {reason && <span>{reason}</span>}
      <Moment time at={at} />
      {what === "paid" && order.transactionId && <TransactionId id={order.transactionId} />}
    </li>
  );
}
