import { type KeyboardEvent, useState } from "react";
import type { OrderDetails } from "../../../../api/order-calls.ts";
import { Button } from "../../../components/button.tsx";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { FormError } from "../../../components/field.tsx";
import { focusHeading } from "../../../components/focus-heading.ts";
import { count, counted } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { PanelHead } from "../../../components/panel.tsx";
import { type Column, Lead, Table } from "../../../components/table.tsx";
import { useFields } from "../../../components/use-fields.ts";
import { useFirstLines } from "../../../components/use-first-lines.tsx";
import { useCallOnce } from "../../../data/call-once.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";
import { readNumber } from "../read-number.ts";
import { shipPieces, unshippedPieces } from "./ship-purchase.ts";
import { TrackingFields, trackingRules } from "./tracking-fields.tsx";

type Line = OrderDetails["lines"][number];

interface ShipmentFormProps {
  order: OrderDetails;
  /** it was shipped, or its state is outdated: reload it */
  onChanged: () => void;
}

/** The next shipment of an order: pieces by line, carrier and tracking number. Renders nothing if nothing is left. */
export function ShipmentForm({ order, onChanged }: ShipmentFormProps) {
  const openLines = order.lines.filter((line) => !line.cancelledAt && fulfillmentStatusOf(line) === "paid");
  const [texts, setTexts] = useState<Record<string, EnteredQuantity>>({});
  const callOnce = useCallOnce();
  const fields = useFields(trackingRules);
  const quantities = openLines.map((line) => ({ line, ...parseQuantity(line, texts[line._id]?.text) }));
  const { first, showRest } = useFirstLines(quantities);
  if (openLines.length === 0) return null;

  const pieces = quantities.reduce((sum, { quantity }) => sum + quantity, 0);
  const unshipped = quantities.reduce((sum, { line }) => sum + unshippedPieces(line), 0);

  const submit = fields.onSubmit(async (tracking, { refuse, empty }) => {
    const lines = quantities.flatMap(({ line, quantity }) =>
      quantity > 0 ? [{ purchaseId: line._id, quantity, seenShipped: seenPieces(line) }] : [],
    );
    const body = { ...tracking, lines };
    const description = `${counted(pieces, "piece")} of order ${order.number}`;
    const outcome = await shipPieces({
      callOnce,
      orderId: order._id,
      body,
      description,
      onUndone: onChanged,
    });
    if (outcome.ok) {
      // what was typed meanwhile stays
      setTexts((current) =>
        Object.fromEntries(Object.entries(current).filter(([id, text]) => text !== texts[id])),
      );
      empty();
      if (pieces === unshipped) focusHeading(); // the form will be gone
      return onChanged();
    }
    if (refuse(outcome) || outcome.status !== 409) return;
    // the admin sees why: what was typed is now for the new state
    setTexts((current) =>
      Object.fromEntries(Object.entries(current).map(([id, { text }]) => [id, { text }])),
    );
    onChanged();
  });

  const seenPieces = ({ _id, shippedPieces = 0 }: Line) => texts[_id]?.seenShipped ?? shippedPieces;
  const enter = (line: Line, quantity: number | string): EnteredQuantity => ({
    text: String(quantity),
    seenShipped: line.shippedPieces ?? 0,
  });
  const setQuantity = (line: Line, quantity: number | string) =>
    setTexts((current) => ({ ...current, [line._id]: enter(line, quantity) }));
  const takeAll = (line: Line) => {
    setQuantity(line, unshippedPieces(line));
    // the pressed button is gone afterwards
    document.getElementById(fieldId(line))?.focus();
  };
  const setAll = (quantityOf: (line: Line) => number) =>
    setTexts(Object.fromEntries(openLines.map((line) => [line._id, enter(line, quantityOf(line))])));

  return (
    <form
      className="panel po shipping no-print"
      aria-labelledby="next-shipment"
      method="post"
      autoComplete="off"
      noValidate
      onSubmit={submit}
    >
      <PanelHead title="Next shipment" id="next-shipment">
        <div className="acts">
          <Button size="sm" onClick={() => setAll(unshippedPieces)}>
            All
          </Button>
          <Button size="sm" look="quiet" onClick={() => setAll(() => 0)}>
            None
          </Button>
        </div>
      </PanelHead>
      <Table
        className="tbl--ship"
        caption={`Lines of order ${order.number} that are to be shipped`}
        columns={lineColumns(setQuantity)}
        rows={first}
        rowKey={({ line }) => line._id}
        detail={({ line, problem }) =>
          problem && (
            <p className="add-problem">
              <Icon name="alert" />
              <span id={`problem-${line._id}`}>{problem}</span>
              <Button size="sm" onClick={() => takeAll(line)}>
                Take {count(unshippedPieces(line))}
              </Button>
            </p>
          )
        }
      />
      {showRest}
      <div className="total">
        <span className="t-label">In this shipment</span>
        <output className="total__sum">{counted(pieces, "piece")}</output>
        {pieces < unshipped && (
          <span className="t-label shipping__left">{`${counted(unshipped - pieces, "piece")} stay open`}</span>
        )}
      </div>
      <div className="panel__bd">
        <div className="three">
          <TrackingFields field={fields.field} />
        </div>
        <FormError reveal>{fields.refusal}</FormError>
        <Button
          type="submit"
          look="primary"
          size="lg"
          block
          busy={fields.busy}
          disabled={pieces === 0 || quantities.some(({ problem }) => problem)}
        >
          {pieces === unshipped && order.shipments.length > 0
            ? `Ship the last ${counted(pieces, "piece")}`
            : `Ship ${counted(pieces, "piece")}`}
        </Button>
        <p className="hint">You can undo for 10 seconds. The buyer gets the email after that.</p>
      </div>
    </form>
  );
}

const fieldId = ({ _id }: Line) => `ship-${_id}`;

interface EnteredQuantity {
  text: string;
  /** shipped pieces of the line when it was typed: a reload may show a shipment whose response was lost */
  seenShipped?: number;
}

type LineQuantity = ReturnType<typeof parseQuantity> & { line: Line };

function lineColumns(setQuantity: (line: Line, quantity: string) => void): Column<LineQuantity>[] {
  return [
    {
      heading: "Tool",
      kind: "lead",
      cell: ({ line }) => <Lead picture={line.picture} name={line.productName} note={line.itemNumber} />,
    },
    { heading: "Ordered", kind: "figure", cell: ({ line }) => count(line.purchaseQuantity) },
    {
      heading: "Shipped",
      hiddenOnPhone: true,
      cell: ({ line: { shippedPieces = 0, purchaseQuantity }, quantity }) => (
        <DimensionBar
          part={shippedPieces}
          whole={purchaseQuantity}
          next={quantity}
          label={`${count(shippedPieces)} of ${count(purchaseQuantity)} shipped, ${count(quantity)} in this shipment`}
        />
      ),
    },
    { heading: "Left", kind: "figure", cell: ({ line }) => count(unshippedPieces(line)) },
    {
      heading: "Ship now",
      kind: "figure",
      cell: ({ line, text, problem }) => (
        <input
          id={fieldId(line)}
          className="input"
          inputMode="numeric"
          value={text}
          aria-label={`Ship now, ${line.productName}`}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `problem-${line._id}` : undefined}
          onChange={(event) => setQuantity(line, event.target.value)}
          onFocus={(event) => event.target.select()}
          onKeyDown={moveFocus}
        />
      ),
    },
  ];
}

/** Enter and the arrow keys move between the quantities; only the button submits. */
function moveFocus(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const inputs = [...(event.currentTarget.closest("table")?.querySelectorAll("input") ?? [])];
  inputs[inputs.indexOf(event.currentTarget) + step]?.focus();
}

function parseQuantity(line: Line, entered: string | undefined) {
  const unshipped = unshippedPieces(line);
  const text = entered ?? String(unshipped);
  const quantity = readNumber(text) ?? 0;
  if (!Number.isInteger(quantity) || quantity < 0)
    return { text, quantity: 0, problem: "Enter a whole number of pieces." };
  if (quantity > unshipped)
    return {
      text,
      quantity: 0,
      problem: `${count(unshipped)} ${unshipped === 1 ? "is" : "are"} left on this line.`,
    };
  return { text, quantity };
}
