import { Link } from "react-router";
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
