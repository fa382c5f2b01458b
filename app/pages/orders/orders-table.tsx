import { Link } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { DateTime } from "../../components/date-time.tsx";
import { count, dollars } from "../../components/format.ts";
import { OrderTrack } from "../../components/order-track.tsx";
import { Picture } from "../../components/picture.tsx";
import { type Column, Lead, Table } from "../../components/table.tsx";
import { fulfillmentStatusOf } from "./fulfillment-status.ts";
import { HoldExpiry } from "./hold-expiry.tsx";
import { OrderActions } from "./order-actions.tsx";

interface OrdersTableProps {
  orders: Purchase[];
  onCancel: (order: Purchase) => void;
}

/** The buyer's orders; cards on a phone. */
export function OrdersTable({ orders, onCancel }: OrdersTableProps) {
  const columns: Column<Purchase>[] = [
    { id: "product", heading: "Product", kind: "lead", cell: (order) => <Product order={order} /> },
    { id: "quantity", heading: "Quantity", kind: "figure", cell: (order) => count(order.purchaseQuantity) },
    { id: "price", heading: "Price", kind: "figure", optional: true, cell: (order) => dollars(order.price) },
    { id: "total", heading: "Total", kind: "strong", cell: (order) => dollars(order.total) },
    { id: "status", heading: "Status", cell: (order) => <Status order={order} /> },
    {
      id: "action",
      heading: "Action",
      headingHidden: true,
      kind: "action",
      cell: (order) => <OrderActions order={order} onCancel={onCancel} />,
    },
  ];
  return (
    <Table
      className="tbl--orders tbl--mine"
      caption="Your orders, newest first"
      columns={columns}
      rows={orders}
      rowKey={(order) => order._id}
    />
  );
}

function Status({ order }: { order: Purchase }) {
  return (
    <>
      <OrderTrack status={fulfillmentStatusOf(order)} />
      <HoldExpiry order={order} />
    </>
  );
}

function Product({ order }: { order: Purchase }) {
  return (
    <Lead
      picture={<Picture src={order.picture} alt="" />}
      name={
        <Link className="row-link" prefetch="intent" to={`/dashboard/order/${order._id}`}>
          {order.productName}
        </Link>
      }
      note={
        <>
          {order.itemNumber && <span className="item__no">{order.itemNumber}</span>}
          <DateTime at={order.placedAt} />
        </>
      }
    />
  );
}
