import { Link } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { ProductCard } from "../../../components/product-card.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { EmptyState, ErrorState } from "../../../components/states.tsx";
import { useListOrFetch } from "./use-list-or-fetch.ts";

export function OurTools({ products }: { products: Product[] }) {
  const list = useListOrFetch(products, "/products");
  const shown = list.items.slice(0, 6);
  return (
    <section className="sec sheet" aria-labelledby="tools">
      <div className="sec__head">
        <h2 className="t-h1" id="tools">
          {labels.home.ourTools}
        </h2>
        <div className="sec__aside">
          <Link className="link" prefetch="intent" to="/tools">
            See all tools
          </Link>
        </div>
      </div>
      {list.phase === "loading" && <Spinner label="Loading tools" />}
      {list.phase === "failed" && (
        <ErrorState onRetry={list.retry}>
          The tools could not be loaded. Your connection or our server did not respond.
        </ErrorState>
      )}
      {list.phase === "ready" && shown.length === 0 && (
        <EmptyState title="No tools yet">The first tools are being entered. Come back soon.</EmptyState>
      )}
      {shown.length > 0 && (
        <div className="cards">
          {shown.map((product) => (
            <ProductCard key={product._id} product={product} />
          ))}
        </div>
      )}
    </section>
  );
}
