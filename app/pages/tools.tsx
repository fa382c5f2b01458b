import { Form, Link, useSearchParams } from "react-router";
import type { Product } from "../../api/entities.ts";
import { labels } from "../../shop/messages.ts";
import { storefront } from "../context.ts";
import { pageTitle } from "../page-title.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { count, dollars } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Picture } from "../ui/picture.tsx";
import { EmptyState } from "../ui/states.tsx";
import { Actions, type Column, Lead, type RowGroup, Table } from "../ui/table.tsx";
import type { Route } from "./+types/tools";

const MOST = 100;

export const meta = () =>
  pageTitle(
    "Tools",
    "Every tool with its price, minimum order and stock. Made in our own factory, sold in quantity.",
  );

export async function loader({ context }: Route.LoaderArgs) {
  return { products: await context.get(storefront).listProducts(MOST) };
}

/** The catalogue as a list under its category headings, narrowed by the words in the address. */
export default function ToolsPage({ loaderData: { products } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const words = search.get("q")?.trim() ?? "";
  const found = products.filter((product) => matches(product, words));
  return (
    <main id="main" className="sheet">
      <div className="cat__top">
        <h1 className="t-h1">Tools</h1>
        <Form className="find" role="search" aria-label="Catalogue">
          <Icon name="search" />
          <input
            key={words}
            className="input"
            type="search"
            name="q"
            aria-label="Search the catalogue"
            placeholder="Name or item number"
            defaultValue={words}
          />
          <Button type="submit" look="ink" size="sm">
            Search
          </Button>
        </Form>
      </div>
      <div className="bar">
        <strong className="num" role="status">
          {count(found.length)} {found.length === 1 ? "tool" : "tools"}
          {words && ` for “${words}”`}
        </strong>
        {words && (
          <Link className="link" to="/tools">
            Show all
          </Link>
        )}
      </div>
      {found.length === 0 ? <NothingFound words={words} /> : <Catalogue products={found} />}
    </main>
  );
}

function Catalogue({ products }: { products: Product[] }) {
  return (
    <div className="cat cat--plain">
      <Table
        caption="Tools by category"
        boxed={false}
        columns={columns}
        groups={byCategory(products)}
        rowKey={(product) => product._id}
      />
    </div>
  );
}

const columns: Column<Product>[] = [
  {
    id: "tool",
    heading: "Tool",
    kind: "lead",
    cell: (product) => (
      <Lead
        picture={<Picture src={product.picture} alt="" />}
        name={product.name}
        note={[product.itemNumber, product.keyFact].filter(Boolean).join(", ")}
      />
    ),
  },
  {
    id: "power",
    heading: "Power",
    optional: true,
    hiddenOnPhone: true,
    cell: (product) => product.powerSource,
  },
  { id: "price", heading: "Price", kind: "strong", cell: (product) => dollars(product.price) },
  {
    id: "minimum",
    heading: labels.product.minimumOrder,
    kind: "figure",
    cell: (product) => count(product.minimum_order),
  },
  {
    id: "stock",
    heading: labels.product.availableInStock,
    kind: "figure",
    cell: (product) => count(product.quantity),
  },
  {
    id: "buy",
    heading: "Purchase",
    headingHidden: true,
    kind: "action",
    cell: (product) => (
      <Actions>
        <ButtonLink
          size="sm"
          to={`/product/${product._id}`}
          aria-label={`${labels.product.buyNow}, ${product.name}`}
        >
          {labels.product.buyNow}
        </ButtonLink>
      </Actions>
    ),
  },
];

function NothingFound({ words }: { words: string }) {
  if (!words)
    return <EmptyState title="No tools yet">The first tools are being entered. Come back soon.</EmptyState>;
  return (
    <EmptyState
      title={`No tool is called “${words}”`}
      action={<ButtonLink to="/tools">See all tools</ButtonLink>}
    >
      Try a shorter word, or the first letters of an item number.
    </EmptyState>
  );
}

function matches({ name, itemNumber = "", category = "" }: Product, words: string): boolean {
  const text = `${name} ${itemNumber} ${category}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** In the order in which the categories first appear. */
function byCategory(products: Product[]): RowGroup<Product>[] {
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const category = product.category ?? "Other tools";
    groups.set(category, [...(groups.get(category) ?? []), product]);
  }
  return [...groups].map(([heading, rows]) => ({ heading, note: count(rows.length), rows }));
}
