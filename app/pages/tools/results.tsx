import { type KeyboardEvent, memo } from "react";
import type { CatalogueResult } from "../../../api/catalogue-calls.ts";
import type { Product } from "../../../api/entities.ts";
import { labels } from "../../../shop/messages.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { count, dollars } from "../../ui/format.ts";
import { Picture } from "../../ui/picture.tsx";
import { ProductCard } from "../../ui/product-card.tsx";
import { Actions, type Column, Lead, type RowGroup, Table } from "../../ui/table.tsx";
import { useWhole } from "../../ui/use-whole.ts";

interface ResultsProps {
  result: CatalogueResult;
  view: "list" | "grid";
  /** under the headings of their categories */
  grouped: boolean;
}

/** More than a window has room for. */
const FIRST_SCREEN = 12;

/**
 * The tools of this page, as rows or as cards. Arrow keys go from one Buy Now to the next. Not rendered again while
 * another page is on its way.
 */
export const Results = memo(function Results({ result, view, grouped }: ResultsProps) {
  const tools = useWhole() ? result.tools : result.tools.slice(0, FIRST_SCREEN);
  return (
    <div onKeyDown={moveAlong} id="results">
      {view === "grid" && <h2 className="vh">{grouped ? "All tools" : "Tools found"}</h2>}
      {view === "grid" ? (
        <div className="cards">
          {tools.map((tool, place) => (
            <ProductCard key={tool._id} product={tool} eager={place < 3} />
          ))}
        </div>
      ) : (
        <Table
          caption={grouped ? "Tools by category" : "Tools found"}
          boxed={false}
          columns={columns}
          {...(grouped ? { groups: byCategory(result, tools) } : { rows: tools })}
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
    cell: (tool) => count(tool.quantity),
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
function byCategory({ tools, facets }: CatalogueResult, shown: Product[]): RowGroup<Product>[] {
  const all = Map.groupBy(tools, (tool) => tool.category);
  return [...Map.groupBy(shown, (tool) => tool.category)].map(([category, rows]) => {
    const here = all.get(category)?.length ?? rows.length;
    const inAll = facets.category.find(({ value }) => value === category)?.tools ?? here;
    return { heading: category ?? "Other tools", note: `${count(here)} of ${count(inAll)}`, rows };
  });
}
