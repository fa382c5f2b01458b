import { Link } from "react-router";
import { count, dollars } from "../../components/format.ts";
import { Plate } from "../../components/picture.tsx";
import type { Order } from "./order-timeline.tsx";

export function OrderSheet({ order }: { order: Order }) {
  return (
    <section className="panel order__what">
      <div className="panel__hd">
        <h2 className="t-h3">
          <Link className="link" to={`/product/${order.productId}`}>
            {order.productName}
          </Link>
        </h2>
        {order.itemNumber && <span className="t-label num">{order.itemNumber}</span>}
      </div>
      <div className="panel__bd">
        <Plate className="plate--wide" src={order.picture} alt={order.productName} />
        <dl className="sum">
          <Line label="Quantity">{count(order.purchaseQuantity)}</Line>
          <Line label="Price">{dollars(order.price)}</Line>
        </dl>
      </div>
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(order.total)}</span>
      </div>
    </section>
  );
}

export function DeliveryPanel({ order }: { order: Order }) {
  return (
    <section className="panel order__delivery">
      <div className="panel__hd">
        <h2 className="t-h3">Delivery</h2>
      </div>
      <div className="panel__bd">
        <dl className="sum">
          <Line label="Name">{order.name}</Line>
          <Line label="Email">{order.email}</Line>
          <Line label="Address">{order.address}</Line>
          {order.phone && <Line label="Phone">{order.phone}</Line>}
          <Line label="Order number">{order._id}</Line>
        </dl>
      </div>
    </section>
  );
}

function Line({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
