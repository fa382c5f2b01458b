import { useEffect, useState } from "react";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { count, dollars, excerpt } from "../../../components/format.ts";
import { Plate } from "../../../components/picture.tsx";
import { TitleBlock } from "../../../components/title-block.tsx";
import { readNumber } from "../read-number.ts";
import type { ProductDraft } from "./product-draft.ts";

const NO_VALUE = "\u2013";

export function ProductPreview({ draft }: { draft: ProductDraft }) {
  const picture = useDebounced(draft.picture.trim());
  const formatNumber = (text: string, format: (value: number) => string) => {
    const value = readNumber(text);
    return value === undefined || Number.isNaN(value) ? NO_VALUE : format(value);
  };
  return (
    <section className="tool-preview" aria-label="Preview">
      <h2 className="t-label">As it will appear</h2>
      <article className="card">
        {/^(https?:\/\/.|\/[^/\\])/.test(picture) ? (
          <Plate ticks src={picture} alt={`Preview of the picture of ${draft.name || "the tool"}`} eager />
        ) : (
          <div className="plate plate--ticks tool-preview__none">Picture</div>
        )}
        <div className="card__body">
          <div className="card__name">
            <h3 className="t-h3">{draft.name.trim() || <span className="muted">Name</span>}</h3>
            {draft.itemNumber && <span className="t-label num">{draft.itemNumber}</span>}
          </div>
          <p className="card__desc">
            {draft.description.trim() ? excerpt(draft.description.trim()) : "Description"}
          </p>
          <TitleBlock
            className="card__tb"
            items={[
              { label: labels.product.minimumOrder, value: formatNumber(draft.minimum_order, count) },
              { label: labels.product.availableInStock, value: formatNumber(draft.quantity, count) },
            ]}
          />
          <div className="card__buy">
            <span className="price">{formatNumber(draft.price, dollars)}</span>
            <Button disabled>{labels.product.buyNow}</Button>
          </div>
        </div>
      </article>
    </section>
  );
}

/** A debounced value, so that a partial URL is not fetched. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), 400);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
