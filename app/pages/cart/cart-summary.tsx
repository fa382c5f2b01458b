import { type MouseEvent, useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router";
import { formatMoney } from "../../../shop/money.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, counted } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { PanelHead } from "../../components/panel.tsx";
import type { CartTotals } from "./cart-totals.ts";

interface CartSummaryProps {
  totals: CartTotals;
  /** some lines are not checked yet */
  isChecking: boolean;
  onNextProblem: () => void;
  /** props of the links to the checkout */
  checkoutPress: CheckoutPress;
}

/** The total of the cart, and the link to the checkout or to what prevents it. */
export function CartSummary({ totals, isChecking, onNextProblem, checkoutPress }: CartSummaryProps) {
  const { lines, ready, problems, pieces, listCents, totalCents } = totals;
  const saved = listCents - totalCents;
  const blocked = problems > 0 || ready === 0;
  return (
    <aside className="cart-side" aria-labelledby="cart-summary">
      <section className="panel po">
        <PanelHead title="Order summary" id="cart-summary">
          <span className="t-label num">{counted(lines, "line")}</span>
        </PanelHead>
        <dl className="cart-sum">
          <Fact label="Pieces" value={count(pieces)} />
          <Fact label="At list price" value={formatMoney(listCents)} />
          {saved > 0 && <Fact label="Saved by price breaks" value={`−${formatMoney(saved)}`} tone="ok" />}
          {problems > 0 && <Fact label="Lines left out" value={count(problems)} tone="bad" />}
        </dl>
        <div className="cart-total">
          <span className="t-label">{problems > 0 ? `Total of ${counted(ready, "line")}` : "Total"}</span>
          <b className="cart-total__sum num">{formatMoney(totalCents)}</b>
        </div>
        <div className="po__act">
          {problems > 0 && (
            <>
              <p className="cart-stop">
                <Icon name="alert" />
                <span>{changeNeeded(problems)} before checkout.</span>
              </p>
              <Button look="ink" block onClick={onNextProblem}>
                Next problem
              </Button>
            </>
          )}
          <CheckoutLink blocked={blocked} press={checkoutPress} size="lg" block />
          {problems > 0 && ready > 0 && !isChecking && (
            <p className="hint hint--middle">
              <ButtonLink look="quiet" size="sm" to="/checkout">
                {`Check out the other ${counted(ready, "line")}`}
              </ButtonLink>
            </p>
          )}
          <p className="hint hint--middle">Nothing is reserved until you place the order.</p>
        </div>
      </section>
    </aside>
  );
}

/** On a phone: the total and the one action, at the bottom of the screen. */
export function CartBar({ totals, onNextProblem, checkoutPress }: CartSummaryProps) {
  const { ready, problems, totalCents } = totals;
  return (
    <div className="cart-bar">
      <div>
        <b className="num">{formatMoney(totalCents)}</b>
        {problems > 0 && <span className="is-bad">{changeNeeded(problems)}</span>}
      </div>
      {problems > 0 ? (
        <Button look="ink" onClick={onNextProblem}>
          Next problem
        </Button>
      ) : (
        <CheckoutLink blocked={ready === 0} press={checkoutPress} />
      )}
    </div>
  );
}

interface CheckoutLinkProps {
  blocked: boolean;
  press: CheckoutPress;
  size?: "lg";
  block?: boolean;
}

function CheckoutLink({ blocked, press, ...shape }: CheckoutLinkProps) {
  return blocked ? (
    <Button look="primary" disabled {...shape}>
      Checkout
    </Button>
  ) : (
    <ButtonLink look="primary" to="/checkout" {...press} {...shape}>
      Checkout
    </ButtonLink>
  );
}

type CheckoutPress = ReturnType<typeof useCheckoutPress>;

/** A press while lines are being checked waits for the result: leaving a quantity to press Checkout starts a check. */
export function useCheckoutPress(isChecking: boolean, problems: number, onNextProblem: () => void) {
  const navigate = useNavigate();
  const [isWaiting, setIsWaiting] = useState(false);
  const proceed = useEffectEvent(() => {
    setIsWaiting(false);
    if (problems > 0) onNextProblem();
    else void navigate("/checkout");
  });
  useEffect(() => {
    if (isWaiting && !isChecking) proceed();
  }, [isWaiting, isChecking]);
  return {
    busy: isWaiting,
    onClick(event: MouseEvent) {
      if (!isChecking) return;
      event.preventDefault();
      setIsWaiting(true);
    },
  };
}

function changeNeeded(problems: number): string {
  return problems === 1 ? "1 line needs a change" : `${counted(problems, "line")} need a change`;
}

/** The total for screen readers, at most once a second. */
export function TotalAnnouncement({ totals }: { totals: CartTotals }) {
  const { problems, totalCents, lines } = totals;
  const [text, setText] = useState("");
  useEffect(() => {
    const change = problems > 0 ? `, ${changeNeeded(problems)}` : "";
    const total = lines > 0 ? `Total ${formatMoney(totalCents)}${change}.` : "";
    const timer = setTimeout(() => setText(total), 1000);
    return () => clearTimeout(timer);
  }, [problems, totalCents, lines]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}
