import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OrderHeader } from "../../../api/entities.ts";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { DateTime } from "../../components/date-time.tsx";
import { EmailText } from "../../components/email-text.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Panel, PanelHead } from "../../components/panel.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { CorrectTracking } from "../admin/orders/correct-tracking.tsx";
import { UndoShipment } from "../admin/orders/undo-shipment.tsx";
import { DocumentIcon } from "./document-icon.tsx";
import { fulfillmentStatusOf } from "./fulfillment-status.ts";
import { formatPieces } from "./order-wording.ts";

interface PanelProps {
  order: OrderDetails;
}

interface ShipmentsPanelProps extends PanelProps {
  isAdmin: boolean;
  onChanged: () => void;
}

export function ShipmentsPanel({ order, isAdmin, onChanged }: ShipmentsPanelProps) {
  const { shipments } = order;
  if (shipments.length === 0) return null;
  const remaining = order.lines.flatMap((line) => {
    const { _id, purchaseQuantity, shippedPieces = 0, cancelledAt } = line;
    const isClosed = cancelledAt || ["shipped", "refunded"].includes(fulfillmentStatusOf(line));
    return isClosed ? [] : [{ purchaseId: _id, quantity: purchaseQuantity - shippedPieces }];
  });
  const left = sumPieces(remaining);
  return (
    <section className="panel" id="shipments" aria-labelledby="shipments-heading">
      <PanelHead title="Shipments" id="shipments-heading">
        <span className="t-label">
          {count(shipments.length)} sent{left > 0 && `, ${counted(left, "piece")} to come`}
        </span>
      </PanelHead>
      {shipments.map((shipment) => (
        <div className="shipment" key={shipment._id}>
          <div>
            <b>Shipment {shipment.number}</b>
            <p>
              <DateTime at={shipment.shippedAt} />, {counted(sumPieces(shipment.lines), "piece")}
              {shipment.carrier && `, ${shipment.carrier}`}
              {shipment.trackingNumber && (
                <>
                  , tracking number <span className="tx">{shipment.trackingNumber}</span>
                </>
              )}
            </p>
            <p className="soft">{describeLines(order, shipment.lines)}</p>
          </div>
          <div className="acts">
            {isAdmin && (
              <UndoShipment id={shipment._id}>
                <CorrectTracking shipment={shipment} onChanged={onChanged} />
              </UndoShipment>
            )}
            <a
              className="btn btn--line btn--sm"
              href={`/shipments/${shipment._id}/packing-slip.pdf`}
              aria-label={`Packing slip, shipment ${shipment.number}`}
            >
              <DocumentIcon name="document" />
              Packing slip
            </a>
            {shipment.trackingUrl && (
              <a
                className="btn btn--line btn--sm"
                href={shipment.trackingUrl}
                target="_blank"
                rel="noreferrer"
                aria-label={`Track shipment ${shipment.number} at the carrier`}
              >
                <DocumentIcon name="external" />
                Track
              </a>
            )}
          </div>
        </div>
      ))}
      {left > 0 && (
        <div className="shipment">
          <div>
            <b className="soft">To come</b>
            <p>{describeLines(order, remaining)}</p>
          </div>
        </div>
      )}
    </section>
  );
}

type PiecesOfLine = { purchaseId: string; quantity: number };

const MAX_NAMED = 4;

/** "80 angle grinders, 36 circular saws and 3 more lines". */
function describeLines(order: OrderDetails, parts: PiecesOfLine[]): string {
  const lines = new Map(order.lines.map((line) => [line._id, line]));
  const named = parts.slice(0, parts.length > MAX_NAMED + 1 ? MAX_NAMED : parts.length);
  const words = named.map(({ purchaseId, quantity }) =>
    formatPieces(quantity, lines.get(purchaseId)?.productName ?? ""),
  );
  const rest = parts.length - named.length;
  return `${words.join(", ")}${rest > 0 ? ` and ${count(rest)} more lines` : ""}`;
}

interface MoneyMovement {
  id: string;
  at: string;
  what: string;
  about?: string | undefined;
  reference: string;
  amount: number;
}

const refundLabels: Record<OrderDetails["refunds"][number]["state"], string> = {
  due: "Refund pending",
  done: "Refund",
  refused: "Refund refused by the payment provider",
  failed: "Refund failed",
  settled: "Refunded manually",
};

export function PaymentsPanel({ order, isAdmin }: PanelProps & { isAdmin: boolean }) {
  const movements = movementsOf(order, isAdmin);
  if (movements.length === 0) return null;
  const columns: Column<MoneyMovement>[] = [
    { heading: "Date", cell: ({ at }) => <DateTime at={at} /> },
    {
      heading: "What",
      cell: ({ what, about }) => (
        <>
          <b>{what}</b>
          {about && `, ${about}`}
        </>
      ),
    },
    {
      heading: "Reference",
      wide: true,
      cell: ({ reference }) => reference && <span className="tx">{reference}</span>,
    },
    { heading: "Amount", kind: "strong", cell: ({ amount }) => formatSigned(amount) },
  ];
  return (
    <Panel flush title="Payments and refunds">
      <Table
        className="tbl--money"
        caption="Payments and refunds, oldest first"
        columns={columns}
        rows={movements}
        rowKey={({ id }) => id}
      />
    </Panel>
  );
}

/** Without open and cancelled payments, and for the buyer without refused refunds. */
function movementsOf(order: OrderDetails, isAdmin: boolean): MoneyMovement[] {
  const names = new Map(order.lines.map((line) => [line._id, line.productName]));
  const paid = order.payments.filter(({ status }) => status !== "open" && status !== "cancelled");
  const refunds = order.refunds.filter(({ state }) => isAdmin || state !== "refused");
  return [
    ...paid.map(({ _id, at, amount }) => ({ id: _id, at, what: "Card payment", reference: _id, amount })),
    ...refunds.map(({ _id, at, amount, reason, state, purchaseId }) => ({
      id: _id,
      at,
      what: refundLabels[state],
      about: [names.get(purchaseId), reason].filter(Boolean).join(": "),
      reference: "",
      amount: -amount,
    })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
}

function formatSigned(amount: number): string {
  return amount < 0 ? `\u2212${dollars(-amount)}` : dollars(amount);
}

interface DeliveryPanelProps {
  order: OrderHeader & Pick<OrderDetails, "name" | "email" | "address" | "phone">;
  children?: ReactNode;
}

export function DeliveryPanel({ order, children }: DeliveryPanelProps) {
  return (
    <Panel flush title="Delivery">
      <dl className="sum order-facts">
        <Fact label="Name" value={order.name} />
        <Fact label="Email" value={<EmailText>{order.email}</EmailText>} />
        <Fact label="Ship to" value={<span className="lines">{order.address}</span>} />
        {order.contact && <Fact label="Contact" value={order.contact} />}
        {order.phone && <Fact label="Phone" value={order.phone} />}
        {order.note && <Fact label="Note" value={<span className="lines">{order.note}</span>} />}
        {children}
      </dl>
    </Panel>
  );
}

const documentLabels: Record<string, string> = {
  orderConfirmation: "Order confirmation",
  invoice: "Invoice",
  packingSlip: "Packing slip",
  creditNote: "Credit note",
};

export function DocumentsPanel({ order: { documents } }: PanelProps) {
  if (documents.length === 0) return null;
  return (
    <Panel flush title="Documents" aside={<span className="t-label">PDF</span>} className="no-print">
      <ul className="documents">
        {documents.map(({ kind, number, href, issuedAt }) => (
          <li key={href}>
            <a href={href}>
              <DocumentIcon name="document" />
              <b>
                {documentLabels[kind] ?? kind}
                {kind !== "orderConfirmation" && ` ${number}`}
              </b>
              <DateTime at={issuedAt} />
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function OrderHelp({ number }: { number: number }) {
  return (
    <p className="order__help no-print">
      Did something arrive broken, or is something missing?{" "}
      <Link className="link" to="/contact">
        Contact us
      </Link>{" "}
      with the order number {number}.
    </p>
  );
}

function sumPieces(parts: PiecesOfLine[]): number {
  return parts.reduce((total, { quantity }) => total + quantity, 0);
}
