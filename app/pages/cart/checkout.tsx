import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { orderForm } from "../../../api/order-calls.ts";
import { formatMoney } from "../../../shop/money.ts";
import { Button } from "../../components/button.tsx";
import { FormError, TextArea, TextField } from "../../components/field.tsx";
import { count, dollars } from "../../components/format.ts";
import { NeedsScript } from "../../components/needs-script.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { Panel } from "../../components/panel.tsx";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { call, newKey } from "../../data/api-client.ts";
import { changeCart } from "../../data/cart.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import "../../styles/cart.css";
import type { Route } from "./+types/checkout.ts";
import { linesOf } from "./cart-summary.tsx";
import { sumRows } from "./cart-totals.ts";
import { isOrderable } from "./line-problem.ts";
import { useCartRows } from "./use-cart-rows.ts";
import { type CheckedRow, useCheckedRows } from "./use-checked-rows.ts";

export const meta: Route.MetaFunction = () => pageTitle("Checkout");

const rule = (name: "address" | "phone" | "contact" | "poNumber" | "note") => (value: string) =>
  orderForm.shape[name].safeParse(value).error?.issues[0]?.message;

/** Orders every line of the cart that can be ordered as it is; the others stay in the cart. */
export default function CheckoutPage() {
  const { checked, isChecking } = useCheckedRows(useCartRows());
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState({ text: "", key: "" });
  const navigate = useNavigate();
  const endSession = useSessionExpired();
  const ready = checked.filter(({ line }) => isOrderable(line));
  const totals = sumRows(ready);
  const left = checked.length - ready.length;
  const form = useFields({
    address: rule("address"),
    contact: rule("contact"),
    phone: rule("phone"),
    poNumber: rule("poNumber"),
    note: rule("note"),
  });

  const submit = form.onSubmit(async (fields, { refuse }) => {
    setRefusal(null);
    const body = { ...fields, lines: ready.map(toLine) };
    // the same order sent again after a lost response goes under the same key
    const text = JSON.stringify(body);
    const key = text === sent.text ? sent.key : newKey();
    setSent({ text, key });
    const answer = await call("placeOrder", { body }, undefined, key);
    if (answer.ok) {
      const ordered = new Set(ready.map(({ row }) => row.productId));
      changeCart((lines) => lines.filter(({ productId }) => !ordered.has(productId)));
      toast.success(`Order ${answer.data.number} placed`);
      await navigate(`/dashboard/payment/${answer.data._id}`);
      return;
    }
    if (answer.status === 401) return endSession();
    if (answer.fields?.address) refuse("address", answer.fields.address);
    setRefusal(answer.detail);
  });

  return (
    <main id="main" className="sheet cart">
      <div className="cart__head">
        <h1 className="t-h1">Checkout</h1>
        <p className="muted">One order, one payment.</p>
      </div>
      <NeedsScript />
      <form method="post" noValidate className="cart__cols" onSubmit={submit} aria-label="Checkout">
        <div className="checkout">
          <Panel title="Ship to">
            <TextField label="Address" autoComplete="street-address" required {...form.field("address")} />
            <div className="two">
              <TextField label="Contact" note="Optional" autoComplete="name" {...form.field("contact")} />
              <TextField
                label="Phone"
                note="Optional"
                type="tel"
                autoComplete="tel"
                {...form.field("phone")}
              />
            </div>
          </Panel>
          <Panel title="Your reference">
            <TextField label="PO number" note="Optional" autoComplete="off" {...form.field("poNumber")} />
            <TextArea label="Note to the warehouse" note="Optional" rows={3} {...form.field("note")} />
          </Panel>
        </div>
        <aside className="cart-side" aria-labelledby="checkout-summary">
          <section className="panel po">
            <div className="panel__hd">
              <h2 className="t-h3" id="checkout-summary">
                Order summary
              </h2>
              <span className="t-label num">{linesOf(ready.length)}</span>
            </div>
            <ul className="cart-sum">
              {ready.slice(0, 5).map(({ row, line }) => (
                <li key={row.key}>
                  {line?.name}, {count(Number(row.quantity))} × {dollars(line?.price ?? 0)}
                </li>
              ))}
              {ready.length > 5 && <li>{`and ${linesOf(ready.length - 5)} more`}</li>}
            </ul>
            <div className="cart-total">
              <span className="t-label">Total</span>
              <output className="cart-total__sum num">{formatMoney(totals.totalCents)}</output>
            </div>
            <div className="po__act">
              {left > 0 && !isChecking && (
                <p className="hint">{`${linesOf(left)} that cannot be ordered as they are stay in the cart.`}</p>
              )}
              <FormError reveal>{refusal}</FormError>
              <Button
                type="submit"
                look="primary"
                size="lg"
                block
                busy={form.busy}
                disabled={ready.length === 0 || isChecking}
              >
                Place Order
              </Button>
              <p className="hint hint--middle">
                <Link className="link" to="/cart">
                  Change the cart
                </Link>
              </p>
            </div>
          </section>
        </aside>
      </form>
    </main>
  );
}

function toLine({ row, line }: CheckedRow) {
  return {
    productId: row.productId as string,
    quantity: Number(row.quantity),
    ...(line?.price !== undefined && { price: line.price }),
  };
}
