import { Link } from "react-router";
import type { Purchase } from "../../../../api/entities.ts";
import {
  CHOOSABLE_COLUMNS,
  type ChoosableColumn,
  choosableColumnNames,
} from "../../../../shop/orders/choosable-columns.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count, counted, dollars } from "../../../components/format.ts";
import { Actions, type Column, Lead } from "../../../components/table.tsx";
import type { ListParams } from "../../../data/use-list-params.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import type { RowSelection } from "../use-row-selection.ts";
import { PurchaseStatus } from "./purchase-status.tsx";
import { ShipButton } from "./ship-button.tsx";
import { unshippedPieces } from "./ship-purchase.ts";
import type { ListedPurchase } from "./use-orders.ts";

interface RowActions {
  ship: (purchase: Purchase) => void;
  shippingId: string | null;
  onCancel: (purchase: Purchase) => void;
}

interface SelectColumn {
  selection: RowSelection<ListedPurchase>;
  rows: ListedPurchase[];
}

export const DEFAULT_COLUMNS: ChoosableColumn[] = ["buyer", "quantity", "total"];

/** The columns in the URL: `columns=buyer,po`. */
export function readColumns({ get }: Pick<ListParams, "get">): ChoosableColumn[] {
  const chosen = get("columns")?.split(",");
  return chosen ? choosableColumnNames.filter((name) => chosen.includes(name)) : DEFAULT_COLUMNS;
}

/** The columns of the CSV file: the chosen ones, or all if none were chosen. */
export function exportedColumns({ get }: Pick<ListParams, "get">): string | undefined {
  return get("columns") && columnsParam(readColumns({ get }));
}

/** The query parameter of these columns. */
export function columnsParam(columns: ChoosableColumn[]): string {
  return columns.join(",") || "none";
}

const choosable: Record<ChoosableColumn, Omit<Column<ListedPurchase>, "heading">> = {
  buyer: {
    wide: true,
    cell: (purchase) => (
      <>
        <Link
          className="row-link cut cut--block"
          title={purchase.name}
          to={`/dashboard/customers/${purchase.customerId}`}
          prefetch="intent"
        >
          {purchase.name}
        </Link>
        <span className="cell-2 cut" title={purchase.email}>
          {purchase.email}
        </span>
      </>
    ),
  },
  po: {
    cell: ({ poNumber }) =>
      poNumber ? (
        <span className="cut cut--block" title={poNumber}>
          {poNumber}
        </span>
      ) : (
        <span className="soft">none</span>
      ),
  },
  placed: { cell: ({ placedAt }) => <DateTime at={placedAt} /> },
  quantity: { kind: "figure", cell: (purchase) => count(purchase.purchaseQuantity) },
  total: { kind: "strong", cell: (purchase) => dollars(purchase.total) },
};

export function purchaseColumns(
  actions: RowActions,
  { selection, rows }: SelectColumn,
  visible: ChoosableColumn[],
): Column<ListedPurchase>[] {
  return [
    {
      heading: "Select",
      headingCell: (
        <label className="check">
          <input
            type="checkbox"
            aria-label="Select all on this page"
            checked={rows.length > 0 && rows.every(({ _id }) => selection.has(_id))}
            onChange={({ target }) => selection.set(rows, target.checked)}
          />
          <span className="select-all" aria-hidden="true">
            Select all on this page
          </span>
        </label>
      ),
      cell: (purchase) => (
        <label className="check">
          <input
            type="checkbox"
            data-select={purchase._id}
            aria-label={`Select ${count(purchase.purchaseQuantity)} ${purchase.productName}, order ${purchase.orderNumber}`}
            checked={selection.has(purchase._id)}
            onChange={({ target }) => selection.set([purchase], target.checked)}
          />
        </label>
      ),
    },
    {
      heading: "Product",
      kind: "lead",
      cell: (purchase) => (
        <Lead
          picture={purchase.picture}
          name={
            <Link
              className="link clamp"
              title={purchase.productName}
              to={`/dashboard/order/${purchase._id}`}
              prefetch="intent"
            >
              {purchase.productName}
            </Link>
          }
          note={<ItemNote purchase={purchase} />}
        />
      ),
    },
    ...choosableColumnNames
      .filter((name) => visible.includes(name))
      .map((name) => ({ heading: CHOOSABLE_COLUMNS[name].label, ...choosable[name] })),
    { heading: "Status", wide: true, cell: (purchase) => <PurchaseStatus purchase={purchase} /> },
    { heading: "Action", kind: "action", cell: (purchase) => <RowAction purchase={purchase} {...actions} /> },
  ];
}

/** The item number, and the order if it has several lines. */
function ItemNote({
  purchase: { itemNumber, orderId, orderNumber, lineCount },
}: {
  purchase: ListedPurchase;
}) {
  if (lineCount === 1) return itemNumber;
  return (
    <>
      {itemNumber && `${itemNumber}, `}
      <Link className="link" to={`/dashboard/order/${orderId}`} prefetch="intent">
        Order {orderNumber}
      </Link>
      {`, ${counted(lineCount, "line")}`}
    </>
  );
}

/** The action by status (section 4): cancel if unpaid, ship if paid, none if shipped. */
function RowAction({ purchase, ship, shippingId, onCancel }: RowActions & { purchase: Purchase }) {
  const { cancel } = labels.orders;
  const description = `${count(unshippedPieces(purchase))} ${purchase.productName}`;
  if (purchase.status === "unpaid") {
    return (
      <Actions>
        <Button
          look="danger"
          size="sm"
          onClick={() => onCancel(purchase)}
          aria-label={`${cancel}, ${description}, ${purchase.name}`}
        >
          {cancel}
        </Button>
      </Actions>
    );
  }
  // a fully refunded line is not shipped
  if (fulfillmentStatusOf(purchase) !== "paid") return null;
  return (
    <Actions>
      <ShipButton
        description={`${description} to ${purchase.name}`}
        look="primary"
        size="sm"
        busy={shippingId === purchase._id}
        onClick={() => ship(purchase)}
      />
    </Actions>
  );
}
