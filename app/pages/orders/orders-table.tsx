import { type KeyboardEvent, useState } from "react";
import { Link } from "react-router";
import type { Order } from "../../../api/entities.ts";
import { ButtonLink } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { PictureQuad } from "../../components/picture-quad.tsx";
import { Actions, type Column, Lead, Table } from "../../components/table.tsx";
import { statusOfOrder } from "./fulfillment-status.ts";
import { HoldExpiry } from "./hold-expiry.tsx";
import { OrderAgain } from "./order-again.tsx";
import { findLinesOf, type LoadedOrders, OrderRowLines } from "./order-row-lines.tsx";
import { poLabel } from "./order-wording.ts";
import { PurchaseActions, UnpaidActions } from "./purchase-actions.tsx";

interface OrdersTableProps {
  orders: Order[];
  onCancel: (order: Order) => void;
}

/** The buyer's orders; cards on a phone. A row of several lines can be expanded. */
export function OrdersTable({ orders, onCancel }: OrdersTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [loaded] = useState<LoadedOrders>(() => new Map());

  function toggle(id: string, isOpen: boolean) {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  }

  const columns: Column<Order>[] = [
    {
      heading: "Order",
      kind: "lead",
      cell: (order) =>
        singleLineOf(order) ? (
          <PurchaseLead order={order} />
        ) : (
          <OrderLead
            order={order}
            open={open.has(order._id)}
            onToggle={(isOpen) => toggle(order._id, isOpen)}
          />
        ),
    },
    { heading: "Quantity", kind: "figure", cell: (order) => count(order.pieces) },
    { heading: "Price", kind: "figure", optional: true, cell: (order) => <Price order={order} /> },
    { heading: "Total", kind: "strong", cell: (order) => dollars(order.total) },
    { heading: "Status", cell: (order) => <Status order={order} /> },
    {
      heading: "Action",
      kind: "action",
      cell: (order) => <RowActions order={order} onCancel={() => onCancel(order)} />,
    },
  ];
  return (
    <Table
      className="tbl--orders tbl--mine"
      caption="Your orders: unpaid ones first, then the newest"
      columns={columns}
      rows={orders}
      rowKey={(order) => order._id}
      detail={(order) => open.has(order._id) && <OrderRowLines order={order} loaded={loaded} />}
    />
  );
}

function singleLineOf({ lineCount, lines }: Order) {
  return lineCount === 1 ? lines[0] : undefined;
}

function orderPath(order: Order): string {
  return `/dashboard/order/${(singleLineOf(order) ?? order)._id}`;
}

function PurchaseLead({ order }: { order: Order }) {
  const { productName, picture, itemNumber, placedAt } = singleLineOf(order) ?? {};
  return (
    <Lead
      picture={picture ?? ""}
      name={
        <Link className="row-link" prefetch="intent" to={orderPath(order)}>
          {productName}
        </Link>
      }
      note={
        <>
          {itemNumber && <span className="item__no">{itemNumber}</span>}
          <DateTime at={placedAt ?? order.placedAt} />
        </>
      }
    />
  );
}

interface OrderLeadProps {
  order: Order;
  open: boolean;
  onToggle: (open: boolean) => void;
}

function OrderLead({ order, open, onToggle }: OrderLeadProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    onToggle(event.key === "ArrowRight");
  }

  return (
    <div className="item">
      <button
        type="button"
        className="expander"
        aria-expanded={open}
        aria-label={`Lines of order ${order.number}`}
        onClick={() => onToggle(!open)}
        onKeyDown={onKeyDown}
      >
        <Icon name="down" />
      </button>
      <PictureQuad pictures={order.lines.map(({ picture }) => picture)} total={order.lineCount} />
      <div>
        <b>
          <Link
            className="row-link row-link--underlined"
            prefetch="intent"
            to={orderPath(order)}
            onKeyDown={onKeyDown}
          >
            Order {order.number}
          </Link>
        </b>
        <small>
          {order.poNumber && <span className="item__no">{poLabel(order.poNumber)}</span>}
          <DateTime at={order.placedAt} />
        </small>
      </div>
    </div>
  );
}

function Price({ order }: { order: Order }) {
  const line = singleLineOf(order);
  return line ? (
    dollars(line.price)
  ) : (
    <span className="soft line-count">{counted(order.lineCount, "line")}</span>
  );
}

function Status({ order }: { order: Order }) {
  const status = statusOfOrder(order);
  return (
    <>
      <OrderTrack status={status} />
      {status === "partly_shipped" && (
        <span className="kept">
          {count(order.shippedPieces)} of {count(order.pieces)}
        </span>
      )}
      <HoldExpiry keptUntil={order.keptUntil} />
    </>
  );
}

function RowActions({ order, onCancel }: { order: Order; onCancel: () => void }) {
  const line = singleLineOf(order);
  if (line) return <PurchaseActions purchase={line} onCancel={onCancel} />;
  const subject = `order ${order.number}`;
  if (order.status === "unpaid")
    return <UnpaidActions id={order._id} subject={subject} onCancel={onCancel} />;
  return (
    <Actions>
      {order.status === "partly_shipped" ? (
        <ButtonLink size="sm" to={`${orderPath(order)}#shipments`} aria-label={`Track, ${subject}`}>
          Track
        </ButtonLink>
      ) : (
        <OrderAgain size="sm" subject={subject} findLines={() => findLinesOf(order)} />
      )}
    </Actions>
  );
}
