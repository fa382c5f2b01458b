import { useState } from "react";
import { Link } from "react-router";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { DateTime } from "../../components/date-time.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, dollars } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import { Picture, Plate } from "../../components/picture.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import type { Payable, PayableLines, PayablePurchase } from "./payable.ts";

interface SummaryProps<Subject extends Payable = Payable> {
  payable: Subject;
  /** false once the payment is made or in progress */
  canPay: boolean;
}

export function PayableSummary({ payable, canPay }: SummaryProps) {
  return (
    <Panel
      flush
      className="due"
      title={"lines" in payable ? payable.title : "Order"}
      aside={<span className="t-label">Hello, {payable.name}</span>}
    >
      {"lines" in payable ? (
        <LinesSummary payable={payable} canPay={canPay} />
      ) : (
        <PurchaseSummary payable={payable} canPay={canPay} />
      )}
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(payable.total)}</span>
      </div>
    </Panel>
  );
}

function PurchaseSummary({ payable, canPay }: SummaryProps<PayablePurchase>) {
  return (
    <div className="panel__bd">
      <Plate className="plate--wide" src={payable.picture} alt={payable.productName} />
      <dl className="sum">
        <Fact label="Product" value={payable.productName} />
        <Fact label="Quantity" value={count(payable.purchaseQuantity)} />
        <Fact label="Price" value={dollars(payable.price)} />
        {canPay && payable.keptUntil && <ReservedUntil at={payable.keptUntil} />}
      </dl>
    </div>
  );
}

const FIRST_LINES = 5;

/** The first lines, and all on request; on a phone none at first, so that the card form is in view. */
function LinesSummary({ payable, canPay }: SummaryProps<PayableLines>) {
  const [open, setOpen] = useState(false);
  const list = useFocusAfterRemoval<HTMLUListElement>(String(open));
  // a single other one takes no more room than the button
  const first = payable.lines.length === FIRST_LINES + 1 ? payable.lines.length : FIRST_LINES;
  const lines = open ? payable.lines : payable.lines.slice(0, first);
  const rest = payable.lines.length - first;
  const noun = "orderId" in payable.covers ? "line" : "order";
  return (
    <div className={classNames("due__lines", open && "is-open")}>
      <ul className="lines-brief" ref={list} tabIndex={-1}>
        {lines.map((line) => (
          <li key={line._id}>
            <span className="item__pic">
              <Picture src={line.picture} alt="" />
            </span>
            <span>
              <b>{line.name}</b>
              <small>
                {line.note}
                {canPay && line.others && (
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
          Show the other {count(rest)} {noun}s
        </Button>
      )}
      {!open && (
        <Button className="only-narrow" look="quiet" size="sm" onClick={() => setOpen(true)}>
          Show the {count(payable.lines.length)} {noun}s
        </Button>
      )}
      {canPay && payable.keptUntil && (
        <dl className="sum">
          <ReservedUntil at={payable.keptUntil} />
        </dl>
      )}
    </div>
  );
}

const ReservedUntil = ({ at }: { at: string }) => (
  <Fact label="Reserved until" value={<DateTime at={at} />} />
);
