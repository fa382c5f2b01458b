import { DateTime } from "../../components/date-time.tsx";
import { count, dollars } from "../../components/format.ts";
import { Plate } from "../../components/picture.tsx";
import type { PayableOrder } from "./pay-order.ts";

/** What is paid for. */
export function OrderSummary({ due }: { due: PayableOrder }) {
  return (
    <section className="panel due">
      <div className="panel__hd">
        <h2 className="t-h3">Order</h2>
        <span className="t-label">Hello, {due.name}</span>
      </div>
      <div className="panel__bd">
        <Plate className="plate--wide" src={due.picture} alt={due.productName} />
        <dl className="sum">
          <div>
            <dt>Product</dt>
            <dd>{due.productName}</dd>
          </div>
          <div>
            <dt>Quantity</dt>
            <dd>{count(due.purchaseQuantity)}</dd>
          </div>
          <div>
            <dt>Price</dt>
            <dd>{dollars(due.price)}</dd>
          </div>
          {due.keptUntil && (
            <div>
              <dt>Reserved until</dt>
              <dd>
                <DateTime at={due.keptUntil} />
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(due.total)}</span>
      </div>
    </section>
  );
}
