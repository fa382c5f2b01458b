import { useState } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { labels } from "../../../../shop/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { HourLine, HourScale } from "../../../ui/chart/hour-line.tsx";
import { count } from "../../../ui/format.ts";
import { useFocusWhenGone } from "../../../ui/use-focus-when-gone.ts";
import { hoursSince, isLate, PROMISE } from "../promise.ts";
import { shipOrder } from "../ship-order.ts";

interface ShippingClockProps {
  /** who waits longest, first */
  waiting: Overview["waiting"];
  toShip: number;
  onShipped: () => void;
}

/** Hours since payment against the promise, late ones in red; each can be shipped from here. */
export function ShippingClock({ waiting, toShip, onShipped }: ShippingClockProps) {
  const [shipping, setShipping] = useState<string | null>(null);
  const heading = useFocusWhenGone(waiting.map(({ _id }) => _id).join());

  async function ship(id: string) {
    if (shipping) return;
    setShipping(id);
    await shipOrder(id);
    setShipping(null);
    onShipped();
  }

  return (
    <section className="chart w7">
      <div className="chart__hd">
        <h2 className="t-h3" tabIndex={-1} ref={heading}>
          Shipping clock
        </h2>
        {toShip > waiting.length && (
          <Link className="link t-sm" to="/dashboard/manageOrder?status=paid&sort=oldest">
            All {count(toShip)}
          </Link>
        )}
      </div>
      {waiting.length === 0 && <p className="soft">No paid order is waiting to ship.</p>}
      {waiting.length > 0 && (
        <ul className="clock">
          <li className="clock__row clock__row--hd t-label" aria-hidden="true">
            <span>Paid orders</span>
            <HourScale {...PROMISE} />
            <span>since payment</span>
          </li>
          {waiting.map((order) => (
            <Row key={order._id} order={order} busy={shipping === order._id} onShip={() => ship(order._id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RowProps {
  order: Overview["waiting"][number];
  busy: boolean;
  onShip: () => void;
}

function Row({ order, busy, onShip }: RowProps) {
  const hours = hoursSince(order.paidAt);
  const what = `${count(order.purchaseQuantity)} × ${order.productName}`;
  return (
    <li className="clock__row">
      <div>
        <Link className="link clock__what clamp" title={what} to={`/dashboard/order/${order._id}`}>
          {what}
        </Link>
        <span className="cell-2">{order.name}</span>
      </div>
      <HourLine hours={hours} {...PROMISE} />
      <div className="acts">
        <span className={isLate(hours) ? "num t-sm down" : "num t-sm soft"}>{count(hours)} h</span>
        <Button
          size="sm"
          busy={busy}
          onClick={onShip}
          aria-label={`${labels.orders.pending}, ship ${what} to ${order.name}`}
        >
          {labels.orders.pending}
        </Button>
      </div>
    </li>
  );
}
