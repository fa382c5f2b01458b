import { type KeyboardEvent, memo, type ReactNode } from "react";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import type { Product } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/labels.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { ProductCard, stock } from "../../../components/product-card.tsx";
import { Actions, type Column, Lead, type RowGroup, Table } from "../../../components/table.tsx";

import { useCartQuantities } from "../../../data/use-cart-quantities.ts";
import { AddField, moveFocus, useAdding } from "./add-field.tsx";
import type { AddProblem } from "./add-row.tsx";

interface ResultsProps {
  result: CatalogueResult;
  view: "list" | "grid";
  /** under the headings of their categories */
  grouped: boolean;
}

/** Arrow keys move between Buy Now buttons or quantities. Not re-rendered during a navigation. */
export const Results = memo(function Results({ result, view, grouped }: ResultsProps) {
  const { tools } = result;
  const groups = grouped ? byCategory(result) : byMatch(result);
  const inCart = useCartQuantities();
  const { problem, onClick, onEnter } = useAdding(tools);
  const note = (tool: Product) => problem?.productId === tool._id && problem.note;

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const from = event.target as HTMLElement;
    if (event.key === "Enter" && from instanceof HTMLInputElement) {
      event.preventDefault(); // the list is inside the filter form
      onEnter(from);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && moveFocus(from, step)) event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: events of the controls inside bubble up to it
    <div
      id="results"
      onKeyDown={onKeyDown}
      onClick={onClick}
      onChange={(event) => event.stopPropagation()} // a quantity is not a filter
    >
      {view === "grid" ? (
        (groups.length > 0 && !grouped ? groups : [{ heading: "", rows: tools }]).map(
          ({ heading, rows }, groupIndex) => (
            <section key={heading}>
              <h2 className={heading ? "cards__head t-h3" : "vh"}>
                {heading || (grouped ? "All tools" : "Tools found")}
              </h2>
              <div className="cards">
                {rows.map((tool, index) => (
                  <ProductCard key={tool._id} product={tool} eager={groupIndex === 0 && index < 3}>
                    {isOrderable(tool) && <AddField tool={tool} problem={problem} />}
                    {note(tool)}
                  </ProductCard>
                ))}
              </div>
            </section>
          ),
        )
      ) : (
        <Table
          caption={grouped ? "Tools by category" : "Tools found"}
          boxed={false}
          columns={columnsOf(inCart, problem)}
          detail={note}
          {...(groups.length > 0 ? { groups } : { rows: tools })}
          rowKey={(tool) => tool._id}
        />
      )}
    </div>
  );
});

const columnsOf = (inCart: ReadonlyMap<string, number>, problem: AddProblem | null): Column<Product>[] => [
  {
    heading: "Tool",
    kind: "lead",
    cell: (tool) => (
      <Lead
        picture={tool.picture}
        name={
          <>
            {`${tool.name} `}
            {inCartBadge(inCart.get(tool._id))}
          </>
        }
        note={[tool.itemNumber, tool.keyFact].filter(Boolean).join(", ")}
      />
    ),
  },
  { heading: "Power", optional: true, hiddenOnPhone: true, cell: (tool) => tool.powerSource },
  { heading: "Price", kind: "strong", cell: priceOf },
  {
    heading: labels.product.minimumOrder,
    kind: "figure",
    cell: ({ minimum_order: minimum, order_multiple: multiple }) =>
      multiple ? (
        <>
          {count(minimum)}
          <small className="cell-note">by {count(multiple)}</small>
        </>
      ) : (
        count(minimum)
      ),
  },
  { heading: labels.product.availableInStock, kind: "figure", cell: stock },
  {
    heading: "Purchase",
    kind: "action",
    cell: (tool) => (
      <Actions>
        {isOrderable(tool) && <AddField tool={tool} problem={problem} />}
        <ButtonLink
          size="sm"
          to={`/product/${tool._id}`}
          aria-label={`${labels.product.buyNow}, ${tool.name}`}
        >
          {labels.product.buyNow}
        </ButtonLink>
      </Actions>
    ),
  },
];

const isOrderable = (tool: Product) => tool.quantity >= tool.minimum_order;

function inCartBadge(quantity: number | undefined): ReactNode {
  return (
    quantity && (
      <span className="in-cart">
        <Icon name="check" />
        {count(quantity)} in cart
      </span>
    )
  );
}

/** The price at the minimum order, and the first price break. */
function priceOf({ price, price_breaks: breaks }: Product): ReactNode {
  const first = breaks?.[0];
  if (!first) return dollars(price);
  return (
    <>
      {dollars(price)}
      <small className="cell-note">
        {count(first.quantity)}+ {dollars(first.price)}
      </small>
    </>
  );
}

/** Products in the order of categories; each heading has the number shown and the total. */
function byCategory({ tools, facets }: CatalogueResult): RowGroup<Product>[] {
  return [...Map.groupBy(tools, (tool) => tool.category)].map(([category, rows]) => {
    const total = facets.category.find(({ value }) => value === category)?.tools ?? rows.length;
    return { heading: category ?? "Other tools", note: `${count(rows.length)} of ${count(total)}`, rows };
  });
}

/** Full matches, then partial ones; no groups if all are full matches. */
function byMatch({ tools, partialFrom, unknownNumber }: CatalogueResult): RowGroup<Product>[] {
  if (partialFrom === undefined || unknownNumber) return [];
  const fullMatches = { heading: "Best matches", rows: tools.slice(0, partialFrom) };
  const partialMatches = { heading: "Tools with some of these words", rows: tools.slice(partialFrom) };
  return [fullMatches, partialMatches].filter(({ rows }) => rows.length > 0);
}
