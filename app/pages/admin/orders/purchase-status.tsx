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

/** The status of a purchase, and since when. Takes the focus after its own button changed it and was removed. */
export function PurchaseStatus({ purchase }: { purchase: Purchase }) {
  const cell = useFocusAfterRemoval<HTMLDivElement>(purchase.status);
  return (
    <div ref={cell} tabIndex={-1} className="status">
      <OrderTrack status={fulfillmentStatusOf(purchase)} side="admin" />
      <UndoShipment id={purchase._id}>
        <StatusDate purchase={purchase} />
      </UndoShipment>
      {purchase.testPayment && <span className="cell-2">Test payment</span>}
      {purchase.disputed && <span className="cell-2 is-late">Payment disputed</span>}
      {purchase.refunded && <span className="cell-2">{`${dollars(purchase.refunded)} refunded`}</span>}
    </div>
  );
}

function StatusDate({ purchase }: { purchase: Purchase }) {
  const now = useNow();
  if (fulfillmentStatusOf(purchase) === "paid" && purchase.paidAt) {
    const hours = hoursSince(purchase.paidAt, now);
    const text = hours === 0 ? "just paid" : `${count(hours)} h since payment`;
    return <span className={isLate(hours) ? "cell-2 is-late" : "cell-2"}>{text}</span>;
  }
  return (
    <>
      <span className="cell-2">
        {purchase.status === "unpaid" && "placed "}
        <DateTime at={purchase.shippedAt ?? purchase.placedAt} />
      </span>
      <HoldExpiry keptUntil={purchase.keptUntil} />
    </>
  );
}
