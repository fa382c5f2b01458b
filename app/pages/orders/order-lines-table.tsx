import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Button } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { DimensionBar } from "../../components/dimension-bar.tsx";
import { count, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { type Column, Lead, Table } from "../../components/table.tsx";
import { fulfillmentStatusOf } from "./fulfillment-status.ts";
import { formatPieces } from "./order-wording.ts";

export type OrderLine = Purchase & { cancelledAt?: string | undefined };

interface OrderLinesTableProps {
  caption: string;
  lines: OrderLine[];
  /** the link of a line's name */
  linkTo: (line: OrderLine) => string;
  /** rendered for each unpaid line */
  onCancel?: ((line: OrderLine) => void) | undefined;
  /** rendered for each paid line */
  actionOf?: ((line: OrderLine) => ReactNode) | undefined;
}

const shippedColumn: Column<OrderLine> = {
  heading: "Shipped",
  cell: (line) => <Shipped line={line} />,
};

const priceColumn: Column<OrderLine> = {
  heading: "Price",
  kind: "figure",
  cell: (line) => dollars(line.price),
};

/** The lines of an order with their shipped pieces; compact rows on a phone. */
export function OrderLinesTable({ caption, lines, linkTo, onCancel, actionOf }: OrderLinesTableProps) {
  const columns: Column<OrderLine>[] = [
    { heading: "Tool", kind: "lead", cell: (line) => <Tool line={line} to={linkTo(line)} /> },
    { heading: "Quantity", kind: "figure", cell: (line) => count(line.purchaseQuantity) },
    ...(lines.some(({ status }) => status !== "unpaid") ? [shippedColumn] : []),
    // replaced by the column of an action
    ...(actionOf ? [] : [priceColumn]),
    { heading: "Total", kind: "strong", cell: (line) => <Total line={line} withPrice={!!actionOf} /> },
  ];
  if (actionOf || (onCancel && lines.some(isUnpaid)))
    columns.push({
      heading: "Action",
      kind: "action",
      cell: (line) => {
        if (isUnpaid(line) && onCancel)
          return (
            <Button
              look="quiet"
              size="sm"
              aria-label={`Cancel line, ${formatPieces(line.purchaseQuantity, line.productName)}`}
              onClick={() => onCancel(line)}
            >
              Cancel line
            </Button>
          );
        return line.cancelledAt ? null : actionOf?.(line);
      },
    });
  return (
    <Table
      className="tbl--lines"
      caption={caption}
      columns={columns}
      rows={lines}
      rowKey={(line) => line._id}
    />
  );
}

function isUnpaid(line: OrderLine): boolean {
  return line.status === "unpaid" && !line.cancelledAt;
}

function Tool({ line, to }: { line: OrderLine; to: string }) {
  const name = (
    <Link className="row-link" to={to}>
      {line.productName}
    </Link>
  );
  return (
    <Lead
      picture={line.picture}
      name={line.cancelledAt ? <s>{name}</s> : name}
      note={
        <>
          {line.itemNumber && <span className="item__no">{line.itemNumber}</span>}
          {line.refunded && <span className="nowrap">{dollars(line.refunded)} refunded</span>}
          {line.cancelledAt && (
            <>
              Cancelled <DateTime at={line.cancelledAt} />
            </>
          )}
        </>
      }
    />
  );
}

function Total({ line, withPrice }: { line: OrderLine; withPrice: boolean }) {
  return (
    <>
      {line.cancelledAt ? <s>{dollars(line.total)}</s> : dollars(line.total)}
      {withPrice && <small className="cell-note">at {dollars(line.price)}</small>}
    </>
  );
}

/** Shipped of ordered pieces, as a bar and in words. */
function Shipped({ line }: { line: OrderLine }) {
  const { purchaseQuantity, shippedPieces = 0 } = line;
  if (line.cancelledAt) return null;
  const left = purchaseQuantity - shippedPieces;
  return (
    <span className="shipped">
      <DimensionBar
        part={shippedPieces}
        whole={purchaseQuantity}
        label={`${count(shippedPieces)} of ${count(purchaseQuantity)} shipped`}
      />
      {left === 0 ? (
        <span className="shipped__all">
          <Icon name="check" />
          all
        </span>
      ) : (
        <span>{shippedText(line, left)}</span>
      )}
    </span>
  );
}

function shippedText(line: OrderLine, left: number): string {
  if (fulfillmentStatusOf(line) === "refunded") return "refunded";
  return line.shippedPieces ? `${count(left)} left` : "none yet";
}
