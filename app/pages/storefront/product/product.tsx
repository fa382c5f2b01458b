import type { Ref } from "react";
import { data } from "react-router";
import { z } from "zod";
import type { Product } from "../../../../api/entities.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { ButtonLink } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Panel } from "../../../components/panel.tsx";
import { TitleBlock } from "../../../components/title-block.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { storefront } from "../../../data/loader-context.ts";
import { useAccountKey } from "../../../data/use-account-key.ts";
import type { Route } from "./+types/product.ts";
import { ToolDrawing } from "./drawing.tsx";
import { PurchaseForm } from "./purchase-form.tsx";
import { StockAlert } from "./stock-alert.tsx";
import { type FreshProduct, useFreshProduct } from "./use-fresh-product.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return pageTitle("Tool");
  return pageTitle(loaderData.product.name);
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const isId = z.uuid().safeParse(params.id).success;
  const product = isId ? await context.get(storefront).findProduct(params.id) : null;
  if (!product) throw data(null, { status: 404 });
  return { product };
}

export default function ProductPage({ loaderData: { product } }: Route.ComponentProps) {
  return <ProductSheet key={product._id} loaded={product} />;
}

function ProductSheet({ loaded }: { loaded: Route.ComponentProps["loaderData"]["product"] }) {
  const fresh = useFreshProduct(loaded);
  const { product, isDiscontinued } = fresh;
  const {
    name,
    category,
    price,
    minimum_order: minimum,
    order_multiple: multiple,
    quantity: stock,
  } = product;
  const account = useAccountKey();
  const orderable = !isDiscontinued && stock >= minimum;
  const heading = useFocusAfterRemoval(String(orderable));
  return (
    <main id="main" className="sheet">
      <Breadcrumbs
        items={[
          { label: "Tools", to: "/tools" },
          ...(category ? [{ label: category, to: `/tools?category=${encodeURIComponent(category)}` }] : []),
          { label: name },
        ]}
      />
      <div className="pdp">
        <div className="pdp__l">
          <ToolDrawing product={product} />
          <div className="pdp__title">
            <h1 className="t-h1">{name}</h1>
            <p className="pdp__desc">{product.description}</p>
          </div>
          <TitleBlock
            className={multiple ? "facts facts--4" : "facts"}
            items={[
              { label: "Price", value: dollars(price) },
              { label: labels.product.minimumOrder, value: count(minimum) },
              { label: labels.product.availableInStock, value: count(stock) },
              { label: "Sold in multiples of", value: multiple && count(multiple) },
            ]}
          />
          <TechnicalData product={product} />
        </div>
        {orderable ? (
          <PurchaseForm key={account} fresh={fresh} />
        ) : (
          <NotOrderable fresh={fresh} headingRef={heading} />
        )}
      </div>
    </main>
  );
}

/** In the manufacturer's order. Renders nothing without data. */
function TechnicalData({ product }: { product: Product }) {
  const rows = [
    ...(product.powerSource ? [{ name: "Power", value: product.powerSource }] : []),
    ...(product.technicalData ?? []),
  ];
  if (rows.length === 0) return null;
  return (
    <table className="specs">
      <caption className="vh">Technical data</caption>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name
          <tr key={index}>
            <th scope="row">{row.name}</th>
            <td>{row.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface NotOrderableProps {
  fresh: FreshProduct;
  headingRef: Ref<HTMLHeadingElement>;
}

/** Replaces the purchase form: the product is no longer sold, or the stock is below the minimum order. */
function NotOrderable({ fresh: { product, isDiscontinued, refresh }, headingRef }: NotOrderableProps) {
  const { quantity, minimum_order: minimum } = product;
  const stockText =
    quantity === 0
      ? "There are none in stock."
      : `${count(quantity)} ${quantity === 1 ? "is" : "are"} in stock.`;
  return (
    <Panel
      strong
      className="pdp__r"
      headingRef={headingRef}
      title={isDiscontinued ? "No longer sold" : "Not available now"}
    >
      <p className="plain-fact">
        <Icon name="info" />
        <span>
          {isDiscontinued
            ? refusals.productGone
            : `${stockText} The minimum order is ${count(minimum)}. This tool cannot be ordered now.`}
        </span>
      </p>
      {!isDiscontinued && <StockAlert productId={product._id} onOrderable={refresh} />}
      <ButtonLink look={isDiscontinued ? "ink" : "line"} to="/tools">
        See all tools
      </ButtonLink>
    </Panel>
  );
}
