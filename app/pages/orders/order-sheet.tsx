import { Link } from "react-router";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { EmailText } from "../../components/email-text.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, dollars } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import { Plate } from "../../components/picture.tsx";
import type { PurchaseDetails } from "./order-timeline.tsx";

export function OrderSheet({ order }: { order: PurchaseDetails }) {
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
          <Fact label="Quantity" value={count(order.purchaseQuantity)} />
          <Fact label="Price" value={dollars(order.price)} />
        </dl>
      </div>
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(order.total)}</span>
      </div>
    </Panel>
  );
}

/** `details` is missing for a line of an order of several. */
export function DeliveryPanel({
  order,
  details,
}: {
  order: PurchaseDetails;
  details: OrderDetails | undefined;
}) {
  return (
    <Panel title="Delivery">
      <dl className="sum">
        <Fact label="Name" value={order.name} />
        <Fact label="Email" value={<EmailText>{order.email}</EmailText>} />
        <Fact label="Ship to" value={order.address} />
        {order.phone && <Fact label="Phone" value={order.phone} />}
        {details?.contact && <Fact label="Contact" value={details.contact} />}
        {details?.note && <Fact label="Note" value={details.note} />}
        {details?.poNumber && <Fact label="PO number" value={details.poNumber} />}
      </dl>
    </Panel>
  );
}
