import { useState } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { HourLine, HourScale } from "../../../components/chart/hour-line.tsx";
import { count, counted } from "../../../components/format.ts";
import { OrderTrack } from "../../../components/order-track.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { useNow } from "../../../data/time-zone.ts";
import { DELIVERY_HOURS, hoursSince, isLate } from "../orders/delivery-sla.ts";
import { ShipButton } from "../orders/ship-button.tsx";
import { shipPurchase, unshippedPieces } from "../orders/ship-purchase.ts";
import { UndoShipment } from "../orders/undo-shipment.tsx";

type WaitingOrder = Overview["waiting"][number];

interface ShippingClockProps {
  /** the longest wait first */
  waiting: WaitingOrder[];
  toShip: number;
  onShipped: () => void;
}

/** Paid orders with the hours since payment, late ones in red; each can be shipped from here. */
export function ShippingClock({ waiting, toShip, onShipped }: ShippingClockProps) {
  const [shippingId, setShippingId] = useState<string | null>(null);
  const [shipped, setShipped] = useState<string[]>([]);
  const rows = useStableRows(waiting);
  const stateOf = ({ _id }: WaitingOrder) => {
    if (shipped.includes(_id)) return "shipped";
    return waiting.some((order) => order._id === _id) ? "waiting" : "not waiting";
  };
  const heading = useFocusAfterRemoval(rows.map(stateOf).join());

  async function ship(order: WaitingOrder) {
    if (shippingId) return;
    const id = order._id;
    setShippingId(id);
    const onUndone = (isUndone: boolean) => {
      if (isUndone) setShipped((before) => before.filter((other) => other !== id));
      onShipped();
    };
    const outcome = await shipPurchase({
      id,
      seenShipped: order.shippedPieces,
      description: `${describeOrder(order)} to ${order.name}`,
      onUndone,
    });
    setShippingId(null);
    if (outcome === "shipped") setShipped((before) => [...before, id]);
    // without a response, a reload would get none either
    if (outcome !== "no response") onShipped();
  }

  return (
    <section className="chart w7">
      <div className="chart__hd">
        <h2 className="t-h3" tabIndex={-1} ref={heading}>
          Awaiting shipment
        </h2>
        {toShip > waiting.length && (
          <Link className="link t-sm" to="/dashboard/manageOrder?status=paid&sort=waiting">
            All {count(toShip)}
          </Link>
        )}
      </div>
      {rows.length === 0 && <p className="soft">No paid orders are awaiting shipment.</p>}
      {rows.length > 0 && (
        <ul className="clock">
          <li className="clock__row clock__row--hd t-label" aria-hidden="true">
            <span>Paid orders</span>
            <HourScale {...DELIVERY_HOURS} />
            <span>since payment</span>
          </li>
          {rows.map((order) => (
            <Row
              key={order._id}
              order={order}
              state={stateOf(order)}
              busy={shippingId === order._id}
              onShip={() => ship(order)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Orders keep their place: if rows moved up, a double click could ship another buyer's order. */
function useStableRows(waiting: WaitingOrder[]): WaitingOrder[] {
  const [rows, setRows] = useState(waiting);
  const shownIds = new Set(rows.map(({ _id }) => _id));
  const added = waiting.filter(({ _id }) => !shownIds.has(_id));
  if (added.length > 0) setRows([...rows, ...added]);
  return rows;
}

function describeOrder(order: WaitingOrder): string {
  if (order.lineCount > 1) return `Order ${order.orderNumber}, ${counted(order.lineCount, "line")}`;
  return `${count(unshippedPieces(order))} × ${order.productName}`;
}

interface RowProps {
  order: WaitingOrder;
  /** `not waiting`: shipped elsewhere, refunded or cancelled meanwhile */
  state: "waiting" | "shipped" | "not waiting";
  busy: boolean;
  onShip: () => void;
}

function Row({ order, state, busy, onShip }: RowProps) {
  const hours = hoursSince(order.paidAt, useNow());
  const description = describeOrder(order);
  // several lines are shipped together, on the page of their order
  const page = `/dashboard/order/${order.lineCount > 1 ? order.orderNumber : order._id}`;
  return (
    <li className="clock__row">
      <div>
        <Link className="link clock__what clamp" title={description} to={page}>
          {description}
        </Link>
        <UndoShipment id={order._id}>
          <span className="cell-2">{order.name}</span>
        </UndoShipment>
      </div>
      <HourLine hours={hours} {...DELIVERY_HOURS} />
      <div className="acts">
        {state === "shipped" && <OrderTrack status="shipped" side="admin" />}
        {state === "not waiting" && <span className="t-sm soft">Not waiting</span>}
        {state === "waiting" && (
          <>
            <span className={isLate(hours) ? "num t-sm down" : "num t-sm soft"}>{count(hours)} h</span>
            {order.lineCount > 1 ? (
              <ButtonLink size="sm" to={page} aria-label={`Ship ${description}`}>
                Ship
              </ButtonLink>
            ) : (
              <ShipButton
                description={`${description} to ${order.name}`}
                size="sm"
                busy={busy}
                onClick={onShip}
              />
            )}
          </>
        )}
      </div>
    </li>
  );
}
