import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { DateTime } from "../../components/date-time.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, dollars } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import { Picture, Plate } from "../../components/picture.tsx";
import type { Payable, PayableLines, PayablePurchase } from "./payable.ts";

interface SummaryProps<Due extends Payable = Payable> {
  due: Due;
  /** false once the payment is made or in progress */
  paying: boolean;
}

export function OrderSummary({ due, paying }: SummaryProps) {
  return (
    <Panel
      flush
      className="due"
      title={"lines" in due ? due.title : "Order"}
      aside={<span className="t-label">Hello, {due.name}</span>}
    >
      {"lines" in due ? (
        <LinesSummary due={due} paying={paying} />
      ) : (
        <PurchaseSummary due={due} paying={paying} />
      )}
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(due.total)}</span>
      </div>
    </Panel>
  );
}

function PurchaseSummary({ due, paying }: SummaryProps<PayablePurchase>) {
  return (
    <div className="panel__bd">
      <Plate className="plate--wide" src={due.picture} alt={due.productName} />
      <dl className="sum">
        <Fact label="Product" value={due.productName} />
        <Fact label="Quantity" value={count(due.purchaseQuantity)} />
        <Fact label="Price" value={dollars(due.price)} />
        {paying && due.keptUntil && <ReservedUntil at={due.keptUntil} />}
      </dl>
    </div>
  );
}

const FIRST_LINES = 5;

/** The first lines, and all on request; on a phone none at first, so that the card form is in view. */
function LinesSummary({ due, paying }: SummaryProps<PayableLines>) {
  const [open, setOpen] = useState(false);
  const lines = open ? due.lines : due.lines.slice(0, FIRST_LINES);
  const rest = due.lines.length - FIRST_LINES;
  const noun = "orderId" in due.covers ? "line" : "order";
  return (
    <div className={classNames("due__lines", open && "is-open")}>
      <ul className="lines-brief">
        {lines.map((line) => (
          <li key={line._id}>
            <span className="item__pic">
              <Picture src={line.picture} alt="" />
            </span>
            <span>
              <b>{line.name}</b>
              <small>
                {line.note}
                {paying && line.others && (
                  <Link
                    className="link"
                    to={`/dashboard/payment/${line.others}`}
                    aria-label={`Leave out ${line.name}`}
                  >
                    Leave out
                  </Link>
                )}
              </small>
            </span>
            <span>{dollars(line.total)}</span>
          </li>
        ))}
      </ul>
      {!open && rest > 0 && (
        <Button className="only-wide" look="quiet" size="sm" onClick={() => setOpen(true)}>
          Show the other {rest === 1 ? noun : `${count(rest)} ${noun}s`}
        </Button>
      )}
      {!open && (
        <Button className="only-narrow" look="quiet" size="sm" onClick={() => setOpen(true)}>
          Show the {count(due.lines.length)} {noun}s
        </Button>
      )}
      {paying && due.keptUntil && (
        <dl className="sum">
          <ReservedUntil at={due.keptUntil} />
        </dl>
      )}
    </div>
  );
}

const ReservedUntil = ({ at }: { at: string }) => (
  <Fact label="Reserved until" value={<DateTime at={at} />} />
);
