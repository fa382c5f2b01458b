import type { ReactNode } from "react";
import type { Answer } from "../../api/contract.ts";
import { labels } from "../../shop/messages.ts";
import { ExactMoment } from "../ui/exact-moment.tsx";
import { TransactionId } from "../ui/transaction-id.tsx";

export type Order = Answer<"findOrder">;
type What = Order["timeline"][number]["what"];

const words: Record<What, string> = {
  placed: "Placed",
  paid: labels.orders.paid,
  shipped: labels.orders.shipping,
  refunded: "Refunded",
};

/** What is still to come, after what has happened. */
const ahead: Partial<Record<Order["status"], { title: string; text: string }[]>> = {
  unpaid: [
    { title: "Payment", text: "Waiting for your card payment." },
    { title: "Shipment", text: "Starts after successful payment." },
  ],
  paid: [{ title: "Shipment", text: "Starts now. Delivery takes 24 to 72 working hours." }],
};

/** What became of an order, oldest first, then what is still to come. */
export function OrderTimeline({ order, children }: { order: Order; children?: ReactNode }) {
  const refunded = order.timeline.some(({ what }) => what === "refunded");
  return (
    <ol className="timeline">
      {order.timeline.map(({ what, at }) => (
        <li key={what + at} className="timeline__done">
          <b>{words[what]}</b>
          <ExactMoment at={at} />
          {what === "paid" && order.transactionId && <TransactionId id={order.transactionId} />}
        </li>
      ))}
      {!refunded &&
        ahead[order.status]?.map(({ title, text }, place) => (
          <li key={title}>
            <b>{title}</b>
            <span>{text}</span>
            {place === 0 && children}
          </li>
        ))}
    </ol>
  );
}
