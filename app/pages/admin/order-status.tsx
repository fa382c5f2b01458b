import { useEffect, useRef } from "react";
import type { Purchase } from "../../../api/entities.ts";
import { Moment } from "../../ui/moment.tsx";
import { OrderTrack } from "../../ui/order-track.tsx";
import { hoursSince, isLate } from "./promise.ts";

/** How far an order is, and since when. Takes the focus when its own button has just changed it and gone. */
export function OrderStatus({ order }: { order: Purchase }) {
  const cell = useRef<HTMLDivElement>(null);
  const last = useRef(order.status);
  useEffect(() => {
    if (last.current === order.status) return;
    last.current = order.status;
    const row = cell.current?.closest("tr");
    if (row && (row.contains(document.activeElement) || document.activeElement === document.body))
      cell.current?.focus({ preventScroll: true });
  }, [order.status]);

  return (
    <div ref={cell} tabIndex={-1} className="status">
      <OrderTrack status={order.status} side="admin" />
      <Since order={order} />
    </div>
  );
}

function Since({ order }: { order: Purchase }) {
  if (order.status === "paid" && order.paidAt) {
    const hours = hoursSince(order.paidAt);
    return <span className={isLate(hours) ? "cell-2 is-late" : "cell-2"}>{`${hours} h since payment`}</span>;
  }
  if (order.status === "shipped" && order.shippedAt) {
    return (
      <span className="cell-2">
        <Moment at={order.shippedAt} />
      </span>
    );
  }
  return null;
}
