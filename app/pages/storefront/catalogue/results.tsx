import { type KeyboardEvent, memo } from "react";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import type { Product } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/labels.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Picture } from "../../../components/picture.tsx";
import { ProductCard, Stock } from "../../../components/product-card.tsx";
import { Actions, type Column, Lead, type RowGroup, Table } from "../../../components/table.tsx";

interface ResultsProps {
  result: CatalogueResult;
  view: "list" | "grid";
  /** under the headings of their categories */
  grouped: boolean;
}

/**
 * The tools of this page, as rows or as cards. Arrow keys go from one Buy Now to the next. Not rendered again while
 * another page is on its way.
 */
export const Results = memo(function Results({ result, view, grouped }: ResultsProps) {
  const { tools } = result;
  const groups = grouped ? byCategory(result) : byMatch(result);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the links inside bubble up to it
    <div onKeyDown={moveAlong} id="results">
      {view === "grid" ? (
        (groups.length > 0 && !grouped ? groups : [{ heading: "", rows: tools }]).map(
          ({ heading, rows }, at) => (
            <section key={heading}>
              <h2 className={heading ? "cards__head t-h3" : "vh"}>
                {heading || (grouped ? "All tools" : "Tools found")}
              </h2>
              <div className="cards">
                {rows.map((tool, place) => (
                  <ProductCard key={tool._id} product={tool} eager={at === 0 && place < 3} />
                ))}
              </div>
            </section>
          ),
        )
      ) : (
        <Table
          caption={grouped ? "Tools by category" : "Tools found"}
          boxed={false}
          columns={columns}
          {...(groups.length > 0 ? { groups } : { rows: tools })}
          rowKey={(tool) => tool._id}
        />
      )}
    </div>
  );
});

function moveAlong(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a.btn")];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const columns: Column<Product>[] = [
  {
    id: "tool",
    heading: "Tool",
    kind: "lead",
    cell: (tool) => (
      <Lead
        picture={<Picture src={tool.picture} alt="" />}
        name={tool.name}
        note={[tool.itemNumber, tool.keyFact].filter(Boolean).join(", ")}
      />
    ),
  },
  { id: "power", heading: "Power", optional: true, hiddenOnPhone: true, cell: (tool) => tool.powerSource },
  { id: "price", heading: "Price", kind: "strong", cell: (tool) => dollars(tool.price) },
  {
    id: "minimum",
    heading: labels.product.minimumOrder,
    kind: "figure",
    cell: (tool) => count(tool.minimum_order),
  },
  {
    id: "stock",
    heading: labels.product.availableInStock,
    kind: "figure",
    cell: (tool) => <Stock of={tool} />,
  },
  {
    id: "buy",
    heading: "Purchase",
    headingHidden: true,
    kind: "action",
    cell: (tool) => (
      <Actions>
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

/** The tools come in the order of their categories; each heading says how many of how many stand under it. */
function byCategory({ tools, facets }: CatalogueResult): RowGroup<Product>[] {
  return [...Map.groupBy(tools, (tool) => tool.category)].map(([category, rows]) => {
    const inAll = facets.category.find(({ value }) => value === category)?.tools ?? rows.length;
    return { heading: category ?? "Other tools", note: `${count(rows.length)} of ${count(inAll)}`, rows };
  });
}

/** Tools with all the words, then those with some; no groups where every tool has all. */
function byMatch({ tools, partialFrom }: CatalogueResult): RowGroup<Product>[] {
  if (partialFrom === undefined) return [];
  const all = { heading: "Best matches", rows: tools.slice(0, partialFrom) };
  const some = { heading: "Tools with some of these words", rows: tools.slice(partialFrom) };
  return [all, some].filter(({ rows }) => rows.length > 0);
}
