import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatMoney } from "../../../shop/money.ts";
import { Button } from "../../components/button.tsx";
import { Fact } from "../../components/fact.tsx";
import { FormError } from "../../components/field.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { PanelHead } from "../../components/panel.tsx";
import { Picture } from "../../components/picture.tsx";
import type { CartTotals } from "../cart/cart-totals.ts";
import type { CheckedRow } from "../cart/use-checked-rows.ts";

interface OrderSummaryProps {
  ready: CheckedRow[];
  totals: CartTotals;
  /** lines that stay in the cart */
  leftInCart: number;
  /** undecided changed lines */
  undecided: number;
  message: ReactNode;
  busy: boolean;
  blocked: boolean;
}

const FIRST_LINES = 5;
/** A longer list is in the cart, which renders only the rows in view. */
const MAX_LINES = 100;

/** The lines to be ordered, their total, and Place Order. */
export function OrderSummary({
  ready,
  totals,
  leftInCart,
  undecided,
  message,
  busy,
  blocked,
}: OrderSummaryProps) {
  const { pieces, listCents, totalCents } = totals;
  // lines whose price rose since they were added come first
  const lines = ready.toSorted((one, other) => Number(hasRisen(other)) - Number(hasRisen(one)));
  // one more line takes no more space than the control that would show it
  const first = lines.length === FIRST_LINES + 1 ? lines.length : FIRST_LINES;
  const others = lines.slice(first, MAX_LINES);
  const saved = listCents - totalCents;
  return (
    <aside className="cart-side" aria-labelledby="checkout-summary">
      <section className="panel po">
        <PanelHead title="Order summary" id="checkout-summary">
          <Link className="link t-sm" to="/cart">
            Edit in cart
          </Link>
        </PanelHead>
        <div className="co__lines">
          <Lines rows={lines.slice(0, first)} />
          {others.length > 0 && (
            <details className="mini-more">
              <summary>
                <Icon name="down" />
                {`Show the other ${counted(ready.length - FIRST_LINES, "line")}`}
              </summary>
              <Lines rows={others} />
              {ready.length > MAX_LINES && (
                <p className="hint">
                  {`${counted(ready.length - MAX_LINES, "line")} more in the `}
                  <Link className="link" to="/cart">
                    cart
                  </Link>
                  .
                </p>
              )}
            </details>
          )}
        </div>
        <dl className="cart-sum">
          <Fact
            label={`${counted(ready.length, "line")}, ${counted(pieces, "piece")}`}
            value={moneyOf(totals.ready, listCents)}
          />
          {saved > 0 && <Fact label="Saved by price breaks" value={`−${formatMoney(saved)}`} tone="ok" />}
        </dl>
        <div className="cart-total">
          <span className="t-label">Total</span>
          <output className="cart-total__sum num">{moneyOf(totals.ready, totalCents)}</output>
        </div>
        <div className="po__act">
          {undecided > 0 && (
            <p className="cart-stop">
              <Icon name="alert" />
              <span>
                {undecided === 1
                  ? "1 line waits for your answer."
                  : `${counted(undecided, "line")} wait for your answer.`}
              </span>
            </p>
          )}
          {leftInCart > 0 && undecided === 0 && (
            <p className="hint">
              {leftInCart === 1
                ? "1 line needs a change and stays in the cart."
                : `${counted(leftInCart, "line")} need a change and stay in the cart.`}
            </p>
          )}
          <FormError reveal>{message}</FormError>
          <Button type="submit" look="primary" size="lg" block busy={busy} disabled={blocked}>
            Place Order
          </Button>
          <p className="hint hint--middle">
            Prices and stock are checked once more when you press it. If a line changed, you decide before
            anything is ordered.
          </p>
        </div>
      </section>
    </aside>
  );
}

type PlaceOrderBarProps = Pick<OrderSummaryProps, "totals" | "busy" | "blocked">;

/** On a phone: the total and Place Order, at the bottom of the screen. */
export function PlaceOrderBar({ totals, busy, blocked }: PlaceOrderBarProps) {
  return (
    <div className="cart-bar">
      <div>
        <b className="num">{moneyOf(totals.ready, totals.totalCents)}</b>
        <span>{counted(totals.ready, "line")}</span>
      </div>
      <Button type="submit" look="primary" busy={busy} disabled={blocked} form="checkout">
        Place Order
      </Button>
    </div>
  );
}

/** Without a line that can be ordered, such as before the first check, there is no sum. */
function moneyOf(lines: number, cents: number): string {
  return lines > 0 ? formatMoney(cents) : "–";
}

function hasRisen({ line }: CheckedRow): boolean {
  return line?.previousPrice !== undefined;
}

function Lines({ rows }: { rows: CheckedRow[] }) {
  return (
    <ul className="mini">
      {rows.map(({ row, line }) => (
        <li key={row.key}>
          <span className="item__pic">{line?.picture && <Picture src={line.picture} alt="" />}</span>
          <span>
            <b>{line?.name}</b>
            <small>
              {[line?.itemNumber, `${count(Number(row.quantity))} × ${dollars(line?.price ?? 0)}`]
                .filter(Boolean)
                .join(", ")}
              {line?.previousPrice !== undefined && (
                <span className="is-changed">{`, was ${dollars(line.previousPrice)}`}</span>
              )}
            </small>
          </span>
          <span>{dollars((Math.round((line?.price ?? 0) * 100) * Number(row.quantity)) / 100)}</span>
        </li>
      ))}
    </ul>
  );
}
