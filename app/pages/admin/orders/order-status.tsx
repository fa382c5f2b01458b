import type { Purchase } from "../../../../api/entities.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { count, dollars } from "../../../components/format.ts";
import { OrderTrack } from "../../../components/order-track.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { useNow } from "../../../data/time-zone.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { HoldExpiry } from "../../orders/hold-expiry.tsx";
import { hoursSince, isLate } from "./delivery-sla.ts";
import { UndoShipment } from "./undo-shipment.tsx";

/** The status of an order, and since when. Takes the focus after its own button changed it and was removed. */
export function OrderStatus({ order }: { order: Purchase }) {
  const cell = useFocusAfterRemoval<HTMLDivElement>(order.status);
  return (
    <div ref={cell} tabIndex={-1} className="status">
      <OrderTrack status={fulfillmentStatusOf(order)} side="admin" />
      <UndoShipment id={order._id}>
        <StatusDate order={order} />
      </UndoShipment>
      {order.testPayment && <span className="cell-2">Test payment</span>}
      {order.disputed && <span className="cell-2 is-late">Payment disputed</span>}
      {order.refunded && <span className="cell-2">{`${dollars(order.refunded)} refunded`}</span>}
    </div>
  );
}

function StatusDate({ order }: { order: Purchase }) {
  const now = useNow();
  if (fulfillmentStatusOf(order) === "paid" && order.paidAt) {
    const hours = hoursSince(order.paidAt, now);
    const text = hours === 0 ? "just paid" : `${count(hours)} h since payment`;
    return <span className={isLate(hours) ? "cell-2 is-late" : "cell-2"}>{text}</span>;
  }
  return (
    <>
      <span className="cell-2">
        {order.status === "unpaid" && "placed "}
        <DateTime at={order.shippedAt ?? order.placedAt} />
      </span>
      <HoldExpiry order={order} />
    </>
  );
}
