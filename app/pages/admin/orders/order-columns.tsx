import { Link } from "react-router";
import type { Answer } from "../../../../api/contract.ts";
import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Picture } from "../../../components/picture.tsx";
import { Actions, type Column, Lead } from "../../../components/table.tsx";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { OrderStatus } from "./order-status.tsx";
import { ShipButton } from "./ship-button.tsx";

type Listed = Answer<"searchPurchases">["orders"][number];

interface RowActions {
  ship: (order: Purchase) => void;
  shipping: string | null;
  onCancel: (order: Purchase) => void;
}

/** The table of Manage All Orders. */
export function orderColumns(acts: RowActions): Column<Listed>[] {
  return [
    {
      id: "product",
      heading: "Product",
      kind: "lead",
      cell: (order) => (
        <Lead
          picture={<Picture src={order.picture} alt="" />}
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
          note={<Note order={order} />}
        />
      ),
    },
    {
      id: "buyer",
      heading: "Buyer",
      wide: true,
      cell: (order) => (
        <>
          <span className="cut cut--block" title={order.name}>
            {order.name}
          </span>
          <span className="cell-2 cut" title={order.email}>
            {order.email}
          </span>
        </>
      ),
    },
    {
      id: "quantity",
      heading: "Quantity",
      kind: "figure",
      cell: (order) => count(order.purchaseQuantity),
    },
    { id: "total", heading: "Total", kind: "strong", cell: (order) => dollars(order.total) },
    { id: "status", heading: "Status", wide: true, cell: (order) => <OrderStatus order={order} /> },
    {
      id: "act",
      heading: "Action",
      kind: "action",
      headingHidden: true,
      cell: (order) => <RowAction order={order} {...acts} />,
    },
  ];
}

/** The item number, and the order of several lines that the purchase belongs to. */
function Note({ order: { itemNumber, orderId, orderNumber, lineCount } }: { order: Listed }) {
  if (!orderNumber) return itemNumber;
  return (
    <>
      {itemNumber && `${itemNumber}, `}
      <Link className="link" to={`/dashboard/order/${orderId}`} prefetch="intent">
        Order {orderNumber}
      </Link>
      {`, ${count(lineCount ?? 0)} lines`}
    </>
  );
}

/** What an admin may do (section 4): cancel what is unpaid, ship what is paid, nothing to what is shipped. */
function RowAction({ order, ship, shipping, onCancel }: RowActions & { order: Purchase }) {
  const { cancel } = labels.orders;
  const what = `${count(order.purchaseQuantity)} ${order.productName}`;
  if (order.status === "unpaid") {
    return (
      <Actions>
        <Button
          look="danger"
          size="sm"
          onClick={() => onCancel(order)}
          aria-label={`${cancel}, ${what}, ${order.name}`}
        >
          {cancel}
        </Button>
      </Actions>
    );
  }
  // what was given back whole is not sent any more
  if (fulfillmentStatusOf(order) !== "paid") return null;
  return (
    <Actions>
      <ShipButton
        what={`${what} to ${order.name}`}
        look="primary"
        size="sm"
        busy={shipping === order._id}
        onClick={() => ship(order)}
      />
    </Actions>
  );
}
