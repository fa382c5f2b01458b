import { Link } from "react-router";
import type { Purchase } from "../../../../api/entities.ts";
import { type ChoosableColumn, choosableColumnNames } from "../../../../shop/orders/choosable-columns.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count, counted, dollars } from "../../../components/format.ts";
import { Actions, type Column, Lead } from "../../../components/table.tsx";
import type { ListParams } from "../../../data/use-list-params.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import type { RowSelection } from "../use-row-selection.ts";
import { OrderStatus } from "./order-status.tsx";
import { ShipButton } from "./ship-button.tsx";
import { unshippedPieces } from "./ship-order.ts";
import type { ListedOrder } from "./use-orders.ts";

interface RowActions {
  ship: (order: Purchase) => void;
  shippingId: string | null;
  onCancel: (order: Purchase) => void;
}

interface SelectColumn {
  selection: RowSelection<ListedOrder>;
  rows: ListedOrder[];
}

export const columnLabels: Record<ChoosableColumn, string> = {
  buyer: "Buyer",
  po: "PO number",
  placed: "Placed",
  quantity: "Quantity",
  total: "Total",
};
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

export function orderColumns(
  actions: RowActions,
  { selection, rows }: SelectColumn,
  visible: ChoosableColumn[],
): Column<ListedOrder>[] {
  const hidden = choosableColumnNames.filter((name) => !visible.includes(name));
  const hiddenLabels = hidden.map((name) => columnLabels[name]);
  const columns: Column<ListedOrder>[] = [
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
        </label>
      ),
      cell: (order) => (
        <label className="check">
          <input
            type="checkbox"
            data-select={order._id}
            aria-label={`Select ${count(order.purchaseQuantity)} ${order.productName}, order ${order.orderNumber}`}
            checked={selection.has(order._id)}
            onChange={({ target }) => selection.set([order], target.checked)}
          />
        </label>
      ),
    },
    {
      heading: "Product",
      kind: "lead",
      cell: (order) => (
        <Lead
          picture={order.picture}
          name={
            <Link
              className="link clamp"
              title={order.productName}
              to={`/dashboard/order/${order._id}`}
              prefetch="intent"
            >
              {order.productName}
            </Link>
          }
          note={<ItemNote order={order} />}
        />
      ),
    },
    {
      heading: columnLabels.buyer,
      wide: true,
      cell: (order) => (
        <>
          <Link
            className="row-link cut cut--block"
            title={order.name}
            to={`/dashboard/customers/${order.customerId}`}
            prefetch="intent"
          >
            {order.name}
          </Link>
          <span className="cell-2 cut" title={order.email}>
            {order.email}
          </span>
        </>
      ),
    },
    {
      heading: columnLabels.po,
      cell: ({ poNumber }) =>
        poNumber ? (
          <span className="cut cut--block" title={poNumber}>
            {poNumber}
          </span>
        ) : (
          <span className="soft">none</span>
        ),
    },
    { heading: columnLabels.placed, cell: ({ placedAt }) => <DateTime at={placedAt} /> },
    { heading: columnLabels.quantity, kind: "figure", cell: (order) => count(order.purchaseQuantity) },
    { heading: columnLabels.total, kind: "strong", cell: (order) => dollars(order.total) },
    { heading: "Status", wide: true, cell: (order) => <OrderStatus order={order} /> },
    { heading: "Action", kind: "action", cell: (order) => <RowAction order={order} {...actions} /> },
  ];
  return columns.filter(({ heading }) => !hiddenLabels.includes(heading));
}

/** The item number, and the order if it has several lines. */
function ItemNote({ order: { itemNumber, orderId, orderNumber, lineCount } }: { order: ListedOrder }) {
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
function RowAction({ order, ship, shippingId, onCancel }: RowActions & { order: Purchase }) {
  const { cancel } = labels.orders;
  const description = `${count(unshippedPieces(order))} ${order.productName}`;
  if (order.status === "unpaid") {
    return (
      <Actions>
        <Button
          look="danger"
          size="sm"
          onClick={() => onCancel(order)}
          aria-label={`${cancel}, ${description}, ${order.name}`}
        >
          {cancel}
        </Button>
      </Actions>
    );
  }
  // a fully refunded line is not shipped
  if (fulfillmentStatusOf(order) !== "paid") return null;
  return (
    <Actions>
      <ShipButton
        description={`${description} to ${order.name}`}
        look="primary"
        size="sm"
        busy={shippingId === order._id}
        onClick={() => ship(order)}
      />
    </Actions>
  );
}
