import { refusals } from "../../../../shop/texts/refusals.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { StockAlert } from "./stock-alert.tsx";
import type { FreshProduct } from "./use-fresh-product.ts";

/** Replaces the purchase form: the product is no longer sold, or the stock is below the minimum order. */
export function NoPurchase({ fresh: { product, gone, refresh } }: { fresh: FreshProduct }) {
  const { quantity, minimum_order: minimum } = product;
  const left =
    quantity === 0
      ? "There are none in stock."
      : `${count(quantity)} ${quantity === 1 ? "is" : "are"} in stock.`;
  return (
    <section className="pdp__r panel po">
      <div className="panel__hd">
        <h2 className="t-h3">{gone ? "No longer sold" : "Not available now"}</h2>
      </div>
      <div className="panel__bd">
        <p className="plain-fact">
          <Icon name="info" />
          <span>
            {gone
              ? refusals.productGone
              : `${left} The minimum order is ${count(minimum)}. This tool cannot be ordered now.`}
          </span>
        </p>
        {!gone && <StockAlert productId={product._id} onOrderable={refresh} />}
        <ButtonLink look={gone ? "ink" : "line"} to="/tools">
          See all tools
        </ButtonLink>
      </div>
    </section>
  );
}
