import { Link } from "react-router";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { EmailText } from "../../components/email-text.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, dollars } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import { Plate } from "../../components/picture.tsx";
import type { PurchaseDetails } from "./order-timeline.tsx";
import { SavedByPriceBreaks } from "./saved-by-price-breaks.tsx";

export function PurchasePanel({ purchase }: { purchase: PurchaseDetails }) {
  return (
    <Panel
      flush
      className="order__what"
      title={
        <Link className="link" to={`/product/${purchase.productId}`}>
          {purchase.productName}
        </Link>
      }
      aside={purchase.itemNumber && <span className="t-label num">{purchase.itemNumber}</span>}
    >
      <div className="panel__bd">
        <Plate className="plate--wide" src={purchase.picture} alt={purchase.productName} />
        <dl className="sum">
          <Fact label="Quantity" value={count(purchase.purchaseQuantity)} />
          <Fact label="Price" value={dollars(purchase.price)} />
          <SavedByPriceBreaks lines={[purchase]} />
        </dl>
      </div>
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(purchase.total)}</span>
      </div>
    </Panel>
  );
}

/** `details` is missing for a line of an order of several. */
export function DeliveryPanel({
  purchase,
  details,
}: {
  purchase: PurchaseDetails;
  details: OrderDetails | undefined;
}) {
  return (
    <Panel title="Delivery">
      <dl className="sum">
        <Fact label="Name" value={purchase.name} />
        <Fact label="Email" value={<EmailText>{purchase.email}</EmailText>} />
        <Fact label="Ship to" value={purchase.address} />
        {purchase.phone && <Fact label="Phone" value={purchase.phone} />}
        {details?.contact && <Fact label="Contact" value={details.contact} />}
        {details?.note && <Fact label="Note" value={details.note} />}
        {details?.poNumber && <Fact label="PO number" value={details.poNumber} />}
      </dl>
    </Panel>
  );
}
