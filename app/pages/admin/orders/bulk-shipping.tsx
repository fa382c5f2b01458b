import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { Button } from "../../../components/button.tsx";
import { count, counted } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PanelHead } from "../../../components/panel.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../../components/unsaved-changes-prompt.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { useBusy } from "../../../data/use-busy.ts";
import { poLabel } from "../../orders/order-wording.ts";
import { noRoomFor, readPastedCells } from "../split-cells.ts";
import type { OrderToShip } from "./order-groups.ts";
import { readTrackingsByOrder, type Tracking } from "./read-trackings.ts";
import { shipPieces } from "./ship-purchase.ts";
import { UndoShipment } from "./undo-shipment.tsx";

/** The id of the panel's heading. */
export const BULK_SHIPPING = "bulk-ship";

const trackingColumns = [
  ["carrier", "Carrier"],
  ["trackingNumber", "Tracking number"],
] as const;
type TrackingColumn = keyof Tracking;
const MAX_LENGTH = 80;

type Result =
  | { state: "shipping" }
  | { state: "undone" }
  | { state: "shipped"; id: string }
  | { state: "failed"; detail: string };

interface BulkShippingProps {
  orders: OrderToShip[];
  /** sentences about the selected lines that cannot be shipped */
  leftOut: string[];
  /** called after each shipped order */
  onShipped: (purchaseIds: string[]) => void;
  /** the lines of an order may be outdated: reload them */
  onRefused: (purchaseIds: string[]) => void;
  onUndone: () => void;
  onClose: () => void;
}

/** Each order is a separate shipment: a refused one stays in the list, and does not stop the others. */
export function BulkShipping(props: BulkShippingProps) {
  const { orders, leftOut, onShipped, onRefused, onUndone, onClose } = props;
  const [trackings, setTrackings] = useState<Record<string, Tracking>>({});
  const [results, setResults] = useState<Record<string, Result>>({});
  const [busy, run] = useBusy();
  const callOnce = useCallOnce();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>("input")?.focus(), []);

  const trackingOf = (id: string): Tracking => trackings[id] ?? { carrier: "", trackingNumber: "" };
  const setTracking = (id: string, change: Partial<Tracking>) =>
    setTrackings((current) => ({ ...current, [id]: { ...trackingOf(id), ...current[id], ...change } }));
  const setResult = (id: string, result: Result) => setResults((current) => ({ ...current, [id]: result }));
  /** also of an order that is not sent because of what was entered for it */
  const resultOf = (id: string): Result | undefined => {
    const detail = problemOf(trackingOf(id));
    return detail ? { state: "failed", detail } : results[id];
  };
  const remaining = orders.filter(
    ({ orderId }) => !["shipped", "undone"].includes(results[orderId]?.state ?? ""),
  );
  const shipped = orders.filter(({ orderId }) => results[orderId]?.state === "shipped").length;
  const isUnsaved = busy || remaining.some(({ orderId }) => Object.values(trackingOf(orderId)).some(Boolean));
  const closeButton = useFocusAfterRemoval<HTMLButtonElement>(
    orders.map(({ orderId }) => results[orderId]?.state).join(),
  );
  const firstCarrier = trackingOf(remaining[0]?.orderId ?? "").carrier;

  /** Pastes rows with order numbers to these orders, other spreadsheet cells from the focused field to the right and down. */
  function pasteFrom(orderId: string, column: TrackingColumn, event: ClipboardEvent) {
    const numbers = remaining.map(({ number }) => number);
    const byOrder = readTrackingsByOrder(event.clipboardData.getData("text/plain"), numbers);
    if (byOrder) {
      event.preventDefault();
      for (const order of remaining) setTracking(order.orderId, byOrder.trackings.get(order.number) ?? {});
      if (byOrder.unknown.length > 0) toast.error(notInList(byOrder.unknown));
      return;
    }
    const pasted = readPastedCells(event);
    if (!pasted) return;
    event.preventDefault();
    const rows = remaining.slice(remaining.findIndex((order) => order.orderId === orderId));
    const names = trackingColumns.map(([name]) => name);
    const firstColumn = names.indexOf(column);
    const notPasted = noRoomFor(pasted, rows.length, names.length - firstColumn);
    if (notPasted) toast.error(notPasted);
    for (const [rowOffset, cells] of pasted.entries()) {
      const row = rows[rowOffset];
      for (const [columnOffset, cell] of cells.entries()) {
        const name = names[firstColumn + columnOffset];
        // the API refuses line breaks
        const value = cell.replace(/\p{Cc}+/gu, " ").trim();
        if (row && name) setTracking(row.orderId, { [name]: value });
      }
    }
  }

  async function ship() {
    let shippedCount = 0;
    for (const order of remaining) {
      const { orderId, number, lines, pieces } = order;
      if (problemOf(trackingOf(orderId))) continue;
      const body = { lines, ...trackingOf(orderId) };
      const shipment = {
        callOnce,
        orderId,
        body,
        quiet: true,
        description: `${counted(pieces, "piece")} of order ${number}`,
        onUndone: (isUndone: boolean) => {
          if (isUndone) setResult(orderId, { state: "undone" });
          onUndone();
        },
      };
      setResult(orderId, { state: "shipping" });
      const outcome = await shipPieces(shipment);
      if (!outcome.ok) {
        setResult(orderId, { state: "failed", detail: outcome.detail });
        if (outcome.status === 409) onRefused(lines.map(({ purchaseId }) => purchaseId));
      } else {
        shippedCount += 1;
        setResult(orderId, { state: "shipped", id: outcome.data._id });
        onShipped(lines.map(({ purchaseId }) => purchaseId));
      }
    }
    if (shippedCount > 0) toast.success(`${counted(shippedCount, "order")} shipped.`);
    if (shippedCount < remaining.length)
      toast.error(`${counted(remaining.length - shippedCount, "order")} could not be shipped.`);
  }

  const columns: Column<OrderToShip>[] = [
    {
      heading: "Order",
      kind: "lead",
      cell: ({ orderId, number, poNumber, buyer, disputed }) => (
        <>
          <b>
            <Link className="row-link" to={`/dashboard/order/${orderId}`} prefetch="intent">
              {number}
            </Link>
          </b>
          <span className="cell-2">{[buyer, poNumber && poLabel(poNumber)].filter(Boolean).join(", ")}</span>
          {disputed && <span className="cell-2 is-late">Payment disputed</span>}
        </>
      ),
    },
    { heading: "Pieces", kind: "figure", cell: ({ pieces }) => count(pieces) },
    ...trackingColumns.map(
      ([column, heading]): Column<OrderToShip> => ({
        heading,
        cell: ({ orderId, number }) => (
          <input
            className="input"
            aria-label={`${heading}, order ${number}`}
            data-column={column}
            aria-invalid={isTooLong(trackingOf(orderId)[column]) || undefined}
            disabled={busy || isDone(results[orderId])}
            value={trackingOf(orderId)[column]}
            onChange={({ target }) => setTracking(orderId, { [column]: target.value })}
            onPaste={(event) => pasteFrom(orderId, column, event)}
            onKeyDown={focusNextOrder}
          />
        ),
      }),
    ),
    { heading: "Result", wide: true, cell: ({ orderId }) => <ResultCell result={resultOf(orderId)} /> },
  ];

  return (
    <section className="panel po bulk-ship" aria-labelledby={BULK_SHIPPING} ref={panel}>
      <PanelHead title={`Ship ${counted(orders.length, "order")}`} id={BULK_SHIPPING} tabIndex={-1}>
        {remaining.length > 1 && (
          <Button
            size="sm"
            disabled={firstCarrier === ""}
            onClick={() => {
              for (const { orderId } of remaining) setTracking(orderId, { carrier: firstCarrier });
            }}
          >
            First carrier for all
          </Button>
        )}
      </PanelHead>
      {leftOut.length > 0 && (
        <div className="bulk-ship__out">
          <Notice kind="warn">
            <strong>Left out.</strong> {leftOut.join(" ")}
          </Notice>
        </div>
      )}
      <Table
        className="tbl--bulk-ship"
        caption="Orders to ship, with carrier and tracking number"
        columns={columns}
        rows={orders}
        rowKey={({ orderId }) => orderId}
      />
      {remaining.length > 1 && (
        <p className="bulk-ship__hint soft">
          Paste rows of order number, carrier and tracking number into any field: each goes to its order.
        </p>
      )}
      <div className="bulk-ship__acts">
        {remaining.length > 0 && (
          <Button look="primary" busy={busy} onClick={() => void run(ship)}>
            Ship {counted(remaining.length, "order")}
          </Button>
        )}
        <Button ref={closeButton} onClick={onClose} disabled={busy}>
          {remaining.length > 0 ? "Cancel" : "Done"}
        </Button>
        <p className="soft" role="status">
          {shipped > 0 && `${shipped} of ${counted(orders.length, "order")} shipped.`}
        </p>
      </div>
      <UnsavedChangesPrompt isUnsaved={() => isUnsaved}>
        What you have typed for orders that are not shipped will be lost.
      </UnsavedChangesPrompt>
    </section>
  );
}

const isTooLong = (text: string) => text.length > MAX_LENGTH;

const notInList = (orders: string[]) =>
  `Not pasted, since no order here has this number: ${orders.slice(0, 5).join(", ")}${orders.length > 5 ? " and others" : ""}.`;

/** The server would refuse it, or it is not what the carrier gave. */
function problemOf(tracking: Tracking): string | undefined {
  if (/^\d[.,]?\d*E\+\d+$/i.test(tracking.trackingNumber))
    return "Tracking number: The spreadsheet has shortened it. Format the column as text, and copy it again.";
  const found = trackingColumns.find(([column]) => isTooLong(tracking[column]));
  return found && `${found[1]}: ${refusals.tooLong(MAX_LENGTH)}`;
}

function isDone(result: Result | undefined): boolean {
  return result !== undefined && result.state !== "failed";
}

/** Enter moves to the same field of the next order. */
function focusNextOrder(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const { column } = event.currentTarget.dataset;
  const inputs = [
    ...document.querySelectorAll<HTMLInputElement>(
      `.bulk-ship input[data-column="${column}"]:not(:disabled)`,
    ),
  ];
  inputs[inputs.indexOf(event.currentTarget) + 1]?.focus();
}

function ResultCell({ result }: { result: Result | undefined }) {
  if (!result) return <span className="soft">Not shipped yet</span>;
  if (result.state === "shipping") return <>Shipping</>;
  if (result.state === "undone") return <>Shipment undone</>;
  if (result.state === "failed")
    return (
      <span className="err">
        <Icon name="alert" />
        <span>{result.detail}</span>
      </span>
    );
  return (
    <div tabIndex={-1}>
      <span className="bulk-ship__done">
        <Icon name="check" />
        Shipped
      </span>{" "}
      <a className="link" href={`/shipments/${result.id}/packing-slip.pdf`}>
        Packing slip
      </a>
      <UndoShipment id={result.id} />
    </div>
  );
}
