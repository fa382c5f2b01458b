import { type ReactNode, useRef } from "react";
import { useViewTransitionState } from "react-router";
import type { Product } from "../../api/entities.ts";
import { labels } from "../../shop/texts/labels.ts";
import { ButtonLink } from "./button.tsx";
import { count, dollars, excerpt } from "./format.ts";
import { Plate } from "./picture.tsx";
import { TitleBlock } from "./title-block.tsx";

interface ProductCardProps {
  product: Product;
  eager?: boolean;
  /** above the price and Buy Now */
  children?: ReactNode;
}

/** The button is the only link, and its name includes the product. Its plate morphs into the product page's. */
export function ProductCard({ product, eager, children }: ProductCardProps) {
  const { buyNow, minimumOrder, availableInStock } = labels.product;
  const page = `/product/${product._id}`;
  const card = useRef<HTMLElement>(null);
  const isWhole = useRef(false);
  const isLeading = useViewTransitionState(page) && isWhole.current;
  return (
    <article className="card" ref={card}>
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
            { label: availableInStock, value: stock(product) },
          ]}
        />
        {children}
        <div className="card__buy">
          <span className="price">
            <span className="vh">Price </span>
            {dollars(product.price)}
          </span>
          <ButtonLink
            look="primary"
            to={page}
            viewTransition
            aria-label={`${buyNow}, ${product.name}`}
            onClick={() => {
              isWhole.current = isWhollyInView(card.current?.querySelector(".plate"));
            }}
          >
            {buyNow}
          </ButtonLink>
        </div>
      </div>
    </article>
  );
}

/** The header's height, from tokens.css. */
const HEADER_HEIGHT = 64;

/** no transition for a picture that is partly out of view or behind the header */
function isWhollyInView(element: Element | null | undefined): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.top >= HEADER_HEIGHT && box.bottom <= innerHeight;
}

/** The stock; also if it is below the minimum order. */
export function stock({ quantity, minimum_order }: Product): ReactNode {
  if (quantity >= minimum_order) return count(quantity);
  const none = quantity === 0 ? "Out of stock" : "Below minimum";
  return (
    <>
      {count(quantity)}
      <span className="stock-no">{none}</span>
    </>
  );
}
