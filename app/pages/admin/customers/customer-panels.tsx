import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import type { Order } from "../../../../api/entities.ts";
import { Badge } from "../../../components/chip.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count, counted, dollars, numberFormat } from "../../../components/format.ts";
import { OrderTrack } from "../../../components/order-track.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Stars } from "../../../components/stars.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { statusOfOrder } from "../../orders/fulfillment-status.ts";
import { ExportLink } from "../export-link.tsx";

export type CustomerProps = { customer: Output<"findCustomer"> };

/** Manage All Orders, filtered by the customer. */
export function customerOrdersPath({ _id }: CustomerProps["customer"]): string {
  return `/dashboard/manageOrder?customer=${_id}`;
}

export function CustomerFigures({ customer }: CustomerProps) {
  const { orders, revenue, unpaid, ordersToShip, refunded, months } = customer;
  const lastYear = months.reduce((sum, month) => sum + month.revenue, 0);
  const openOrders = [
    ordersToShip > 0 && `${count(ordersToShip)} to ship`,
    unpaid.orders > 0 && `${count(unpaid.orders)} unpaid`,
  ].filter(Boolean);
  const figures = [
    ["Revenue", dollars(revenue), `${dollars(lastYear)} in 12 months`],
    ["Orders", count(orders), openOrders.join(", ") || "none open"],
    [
      "Open amount",
      dollars(unpaid.due),
      unpaid.orders === 0 ? "nothing to pay" : `in ${counted(unpaid.orders, "order")}`,
    ],
    ["Refunded", dollars(refunded), `${shareOf(refunded, revenue + refunded)} of payments`],
  ];
  return (
    <dl className="figures figures--noted">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          <dd className="note">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

const percent = numberFormat({ style: "percent", maximumFractionDigits: 1 });

function shareOf(part: number, whole: number): string {
  return percent(whole === 0 ? 0 : part / whole);
}

const purchaseColumns: Column<Order>[] = [
  {
    heading: "Order",
    kind: "lead",
    cell: ({ _id, number, placedAt }) => (
      <>
        <b>
          <Link className="row-link row-link--underlined" to={`/dashboard/order/${_id}`} prefetch="intent">
            {number}
          </Link>
        </b>
        <span className="cell-2">
          <DateTime at={placedAt} />
        </span>
      </>
    ),
  },
  { heading: "PO number", cell: ({ poNumber }) => poNumber ?? <span className="soft">none</span> },
  { heading: "Lines", kind: "figure", cell: ({ lineCount }) => count(lineCount) },
  { heading: "Total", kind: "strong", cell: ({ total }) => dollars(total) },
  { heading: "Status", cell: (order) => <OrderTrack status={statusOfOrder(order)} side="admin" /> },
];

export function OrdersPanel({ customer }: CustomerProps) {
  const { latestOrders, orders } = customer;
  return (
    <Panel
      flush
      title="Orders"
      aside={
        <div className="acts">
          {orders > latestOrders.length && (
            <Link className="link" to={customerOrdersPath(customer)} prefetch="intent">
              All {count(orders)}
            </Link>
          )}
          {orders > 0 && (
            <ExportLink small path="/admin/orders/export.csv" query={{ customer: customer._id }} />
          )}
        </div>
      }
    >
      {latestOrders.length === 0 ? (
        <p className="panel__none">No orders yet.</p>
      ) : (
        <Table
          className="tbl--customer-orders"
          caption="Latest orders, newest first"
          columns={purchaseColumns}
          rows={latestOrders}
          rowKey={({ _id }) => _id}
        />
      )}
    </Panel>
  );
}

export function AddressesPanel({ customer: { addresses } }: CustomerProps) {
  return (
    <Panel flush title="Addresses" aside={<span className="t-label">{count(addresses.length)}</span>}>
      {addresses.length === 0 ? (
        <p className="panel__none">The address book is empty.</p>
      ) : (
        <dl className="sum order-facts">
          {addresses.map(({ _id, name, address, contact, phone }) => (
            <div key={_id}>
              <dt>{name}</dt>
              <dd className="lines">{[address, contact, phone].filter(Boolean).join("\n")}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

export function ReviewsPanel({ customer: { reviews } }: CustomerProps) {
  if (reviews.length === 0) return null;
  return (
    <Panel flush title="Reviews" aside={<span className="t-label">{count(reviews.length)}</span>}>
      <ul className="notes">
        {reviews.map(({ _id, rating, description, writtenAt, hidden }) => (
          <li key={_id}>
            <div className="notes__by">
              <Stars rating={rating} />
              <DateTime at={writtenAt} />
              {hidden && <Badge>Hidden</Badge>}
            </div>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
