import { useViewTransitionState } from "react-router";
import type { Product } from "../../api/entities.ts";
import { labels } from "../../shop/messages.ts";
import { ButtonLink } from "./button.tsx";
import { count, dollars, excerpt } from "./format.ts";
import { Plate } from "./picture.tsx";
import { TitleBlock } from "./title-block.tsx";

/**
 * One tool among others. The card is no link; the button is, and its name includes the tool. Compact on a phone.
 * Where the browser can, its plate becomes the plate of the tool's own page.
 */
export function ProductCard({ product, eager }: { product: Product; eager?: boolean }) {
  const { buyNow, minimumOrder, availableInStock } = labels.product;
  const page = `/product/${product._id}`;
  const isLeading = useViewTransitionState(page);
  return (
    <article className="card">
      <Plate
        ticks
        src={product.picture}
        alt={`${product.name}, side view`}
        eager={eager ?? false}
        className={isLeading ? "is-leading" : ""}
      />
      <div className="card__body">
        <div className="card__name">
          <h3 className="t-h3">{product.name}</h3>
          {product.itemNumber && <span className="t-label num">{product.itemNumber}</span>}
        </div>
        <p className="card__desc">{excerpt(product.description)}</p>
        <TitleBlock
          className="card__tb"
          items={[
            { label: minimumOrder, value: count(product.minimum_order) },
            { label: availableInStock, value: count(product.quantity) },
          ]}
        />
        <div className="card__buy">
          <span className="price">
            <span className="vh">Price </span>
            {dollars(product.price)}
          </span>
          <ButtonLink look="primary" to={page} viewTransition aria-label={`${buyNow}, ${product.name}`}>
            {buyNow}
          </ButtonLink>
        </div>
      </div>
    </article>
  );
}
