import { Link } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Actions, type Column, Lead } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";

interface ProductActions {
  onDelete: (product: Product) => void;
  onRestored: () => void;
}

export function productColumns({ onDelete, onRestored }: ProductActions): Column<Product>[] {
  const { minimumOrder, availableInStock } = labels.product;

  async function restore({ _id, name }: Product) {
    const outcome = await call("restoreProduct", { params: { id: _id } });
    if (outcome.ok) toast.success(`${name} is on sale again`);
    else toast.error(outcome.detail);
    onRestored();
  }

  return [
    {
      heading: "Product",
      kind: "lead",
      cell: (product) => (
        <Lead
          picture={product.picture}
          name={
            <Link
              className="link clamp"
              title={product.name}
              // an archived tool has no page in the store
              to={product.archived ? `/dashboard/stock/${product._id}` : `/product/${product._id}`}
              prefetch="intent"
            >
              {product.name}
            </Link>
          }
          note={[product.itemNumber, product.archived && "archived"].filter(Boolean).join(", ")}
        />
      ),
    },
    {
      heading: "Category",
      optional: true,
      cell: ({ category }) =>
        category && (
          <span className="cut cut--block" title={category}>
            {category}
          </span>
        ),
    },
    { heading: "Price", kind: "strong", cell: (product) => dollars(product.price) },
    { heading: minimumOrder, kind: "figure", cell: (product) => count(product.minimum_order) },
    { heading: availableInStock, kind: "figure", cell: (product) => <Stock product={product} /> },
    {
      heading: "Action",
      kind: "action",
      cell: (product) =>
        product.archived ? (
          <Actions>
            <ActionButton
              size="sm"
              onClick={() => restore(product)}
              aria-label={`Put back on sale, ${product.name}`}
            >
              Put back on sale
            </ActionButton>
          </Actions>
        ) : (
          <Actions>
            <ButtonLink
              size="sm"
              to={`/dashboard/editProduct/${product._id}`}
              aria-label={`Edit, ${product.name}`}
            >
              Edit
            </ButtonLink>
            <Button
              look="danger"
              size="sm"
              icon="remove"
              onClick={() => onDelete(product)}
              aria-label={`Delete, ${product.name}`}
            >
              Delete
            </Button>
          </Actions>
        ),
    },
  ];
}

function Stock({ product: { quantity, minimum_order: minimum } }: { product: Product }) {
  const note = quantity < minimum ? "cannot be ordered" : quantity < 4 * minimum ? "low" : undefined;
  return (
    <>
      {count(quantity)}
      {note && <span className={quantity < minimum ? "cell-2 is-late" : "cell-2 is-low"}>{note}</span>}
    </>
  );
}
