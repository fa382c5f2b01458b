import { Link } from "react-router";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { count, dollars } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import { Plate } from "../../components/picture.tsx";
import type { Order } from "./order-timeline.tsx";

export function OrderSheet({ order }: { order: Order }) {
  return (
    <Panel
      flush
      className="order__what"
      title={
        <Link className="link" to={`/product/${order.productId}`}>
          {order.productName}
        </Link>
      }
      aside={order.itemNumber && <span className="t-label num">{order.itemNumber}</span>}
    >
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
    </Panel>
  );
}

/** `whole` is missing for a line of an order of several. */
export function DeliveryPanel({ order, whole }: { order: Order; whole: OrderDetails | undefined }) {
  return (
    <Panel title="Delivery">
      <dl className="sum">
        <Line label="Name">{order.name}</Line>
        <Line label="Email">{order.email}</Line>
        <Line label="Address">{order.address}</Line>
        {order.phone && <Line label="Phone">{order.phone}</Line>}
        {whole?.contact && <Line label="Contact">{whole.contact}</Line>}
        {whole?.note && <Line label="Note">{whole.note}</Line>}
        {whole?.poNumber && <Line label="PO number">{whole.poNumber}</Line>}
        <Line label="Order number">{whole ? String(whole.number) : order._id}</Line>
      </dl>
    </Panel>
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
