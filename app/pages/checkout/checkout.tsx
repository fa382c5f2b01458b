import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { Address } from "../../../api/address-calls.ts";
import type { Input, Output } from "../../../api/contract.ts";
import { orderForm } from "../../../api/order-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { atMost } from "../../components/at-most.ts";
import { ButtonLink } from "../../components/button.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { count, counted } from "../../components/format.ts";
import { NeedsScript } from "../../components/needs-script.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { EmptyState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import { anything, useFields } from "../../components/use-fields.ts";
import { call, isDecided, isLost, mayHaveTakenEffect, newKey, pause } from "../../data/api-client.ts";
import { changeCart, useCartAvailability } from "../../data/cart.ts";
import { whenReconnected } from "../../data/connection.ts";
import { useAccountKey } from "../../data/use-account-key.ts";
import { useHydrated } from "../../data/use-browser-value.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import { isOrderable } from "../cart/cart-rows.ts";
import { sumRows } from "../cart/cart-totals.ts";
import { CartUnavailable } from "../cart/cart-unavailable.tsx";
import { useCartRows } from "../cart/use-cart-rows.ts";
import { type CheckedRow, useCheckedRows } from "../cart/use-checked-rows.ts";
import "../../styles/cart.css";
import "../../styles/checkout.css";
import type { Route } from "./+types/checkout.ts";
import { ChangedLines, useChangedLines } from "./changed-lines.tsx";
import { OrderSummary, PlaceOrderBar } from "./order-summary.tsx";
import { ShipTo, useShipTo } from "./ship-to.tsx";
import { RadioOption, Step } from "./step.tsx";
import { readSentOrder, storeSentOrder, useCheckoutDraft } from "./use-checkout-draft.ts";

export const meta: Route.MetaFunction = () => pageTitle("Checkout");

type PlaceOrder = Input<"placeOrder">["body"];

const NO_CONNECTION = "We could not reach the store. Your order was not placed. Try again.";
const OUTCOME_UNKNOWN = "We do not know yet whether the order was placed. Checking.";
const MAY_BE_PLACED = (
  <>
    We do not know whether your last order was placed. Look under{" "}
    <Link className="link" to="/dashboard/orders">
      My Orders
    </Link>{" "}
    before you place another one.
  </>
);

const rule = (name: "address" | "phone" | "contact" | "poNumber" | "note") => (value: string) =>
  orderForm.shape[name].safeParse(value).error?.issues[0]?.message;

export default function CheckoutPage() {
  return <Checkout key={useAccountKey()} />;
}

/** Orders every line of the cart that can be ordered unchanged; the others stay in the cart. */
function Checkout() {
  const rows = useCartRows();
  const { checked, isChecking, recheck } = useCheckedRows(rows);
  const ready = checked.filter(({ line }) => isOrderable(line));
  const totals = sumRows(ready);
  const changed = useChangedLines(rows, checked);
  const shipTo = useShipTo(fillContact);
  const [message, setMessage] = useState<ReactNode>(null);
  const [noteLength, setNoteLength] = useState(0);
  const placeOrder = usePlaceOrder(setMessage);
  const navigate = useNavigate();
  const endSession = useSessionExpired();
  const form = useRef<HTMLFormElement>(null);
  const autofilled = useRef<Partial<Address>>({});
  const draft = useCheckoutDraft(form, () => setNoteLength(noteOf(form.current).length));
  const fields = useFields({
    address: (value) => (shipTo.chosen ? undefined : rule("address")(value)),
    contact: rule("contact"),
    phone: rule("phone"),
    poNumber: rule("poNumber"),
    note: rule("note"),
    place: atMost(80),
    payment: anything,
  });

  // its pieces may be the ones that are missing now, so that it cannot be sent again unchanged
  useEffect(() => {
    const sent = readSentOrder();
    if (sent && !sent.isRefused) setMessage(MAY_BE_PLACED);
  }, []);

  const submit = fields.onSubmit(async ({ place: name, payment, ...typed }, { refuse }) => {
    setMessage(null);
    const address = shipTo.chosen?.address ?? typed.address;
    const outcome = await placeOrder({ ...typed, address, lines: ready.map(toLine) });
    if (!outcome) return; // the page was left
    if (outcome.ok) {
      const { _id: id, number } = outcome.data;
      draft.clear();
      const ordered = new Map(ready.map(({ row }) => [row.productId, Number(row.quantity)]));
      // another window may have added pieces meanwhile
      changeCart((lines) =>
        lines
          .map((line) => ({ ...line, quantity: line.quantity - (ordered.get(line.productId) ?? 0) }))
          .filter(({ quantity }) => quantity > 0),
      );
      toast.success(`Order ${number} placed`);
      if (!shipTo.chosen && name.trim())
        void saveToAddressBook({ name, address, contact: typed.contact, phone: typed.phone });
      return navigate(payment === "later" ? `/dashboard/order/${id}` : `/dashboard/payment/${id}`);
    }
    if (outcome.status === 401) return endSession();
    if (outcome.lines) {
      changed.showRefusals(outcome.lines, ready, totals.totalCents);
      return recheck();
    }
    if (refuse(outcome)) return;
    // changed, it would be sent under another key, and placed as another order
    const mayBePlaced = outcome.status > 0 && mayHaveTakenEffect(outcome);
    setMessage(
      mayBePlaced ? (
        <>
          {outcome.detail} {MAY_BE_PLACED}
        </>
      ) : (
        outcome.detail
      ),
    );
  });

  /** Overwrites only what it filled in itself, not what the buyer typed. */
  function fillContact(address: Address) {
    for (const name of ["contact", "phone"] as const) {
      const input = form.current?.elements.namedItem(name) as HTMLInputElement | null;
      if (!input || (input.value !== "" && input.value !== autofilled.current[name])) continue;
      input.value = address[name] ?? "";
    }
    autofilled.current = address;
  }

  const blocked = ready.length === 0 || isChecking || changed.undecided > 0;
  const leftInCart = isChecking ? 0 : checked.length - ready.length;
  const isHydrated = useHydrated();
  const availability = useCartAvailability();
  const hasNoLines = isHydrated && rows.rows.length === 0 && !fields.busy && changed.lines.length === 0;
  const isEmpty = hasNoLines && availability === "known";
  const isUnknown = ready.length === 0 && (isChecking || !isHydrated || availability === "loading");

  function describe(): ReactNode {
    if (isEmpty) return "There is nothing to order yet.";
    if (changed.lines.length > 0) return "Your address, PO number and note are kept.";
    if (isUnknown) return "Checking the lines of your cart.";
    if (hasNoLines) return <CartUnavailable from="/checkout" />;
    const elsewhere = ready.length > 1 ? " Lines going elsewhere? Place two orders." : "";
    return `${counted(ready.length, "line")} to one address.${elsewhere}`;
  }

  return (
    <main id="main" className="sheet cart">
      <div className="cart__head">
        <h1 className="t-h1">Checkout</h1>
        <p className="muted">{describe()}</p>
      </div>
      <NeedsScript />
      <ChangedLines {...changed} totalCents={totals.totalCents} />
      {isEmpty && (
        <div className="panel co-empty">
          <EmptyState
            title="Your cart is empty"
            action={
              <ButtonLink look="primary" to="/cart">
                Go to the cart
              </ButtonLink>
            }
          >
            Add tools to the cart, and this page places them as one order.
          </EmptyState>
        </div>
      )}
      <form
        ref={form}
        id="checkout"
        method="post"
        noValidate
        className="co"
        aria-label="Checkout"
        hidden={isEmpty} // not removed, so that its input stays
        onSubmit={submit}
        onInput={(event: FormEvent<HTMLFormElement>) => {
          draft.save();
          setNoteLength(noteOf(event.currentTarget).length);
        }}
      >
        <div>
          <Step
            title="Ship to"
            hint={shipTo.addresses?.length === 0 ? "Where the pieces go" : "From your address book"}
          >
            <ShipTo {...shipTo} addressField={fields.field("address")} placeField={fields.field("place")} />
          </Step>
          <Step title="Contact" hint="For the driver to call">
            <div className="two">
              <TextField label="Contact" note="Optional" autoComplete="name" {...fields.field("contact")} />
              <TextField
                label="Phone"
                note="Optional"
                type="tel"
                autoComplete="tel"
                {...fields.field("phone")}
              />
            </div>
          </Step>
          <Step title="Your reference" hint="Printed on every document">
            <div className="co__fields">
              <TextField label="PO number" note="Optional" autoComplete="off" {...fields.field("poNumber")} />
              <TextArea
                label="Note to the warehouse"
                note={noteLength > 0 ? `Optional, ${count(noteLength)} of 500` : "Optional"}
                rows={2}
                {...fields.field("note")}
              />
            </div>
          </Step>
          <Step title="Payment" hint="Card now, or later">
            <fieldset className="pick pick--1">
              <legend className="vh">Payment</legend>
              <RadioOption name="payment" value="card" title="Card" defaultChecked>
                You pay the whole order on the next page.
              </RadioOption>
              <RadioOption name="payment" value="later" title="Later, under My Orders">
                The order waits unpaid. Shipment starts after successful payment.
              </RadioOption>
            </fieldset>
          </Step>
        </div>
        <OrderSummary
          ready={ready}
          totals={totals}
          leftInCart={leftInCart}
          undecided={changed.undecided}
          message={message}
          busy={fields.busy}
          blocked={blocked}
        />
      </form>
      {!isEmpty && <PlaceOrderBar totals={totals} busy={fields.busy} blocked={blocked} />}
    </main>
  );
}

/**
 * Places the order with one idempotency key per content until the outcome is known, so that a double click, a lost
 * response or a reload does not order twice. Retries without a response; null once the page is left.
 */
function usePlaceOrder(showMessage: (message: ReactNode) => void) {
  const unmount = useRef(new AbortController());
  useEffect(() => {
    unmount.current = new AbortController();
    return () => unmount.current.abort();
  }, []);

  return async (body: PlaceOrder): Promise<Outcome<Output<"placeOrder">> | null> => {
    if (!navigator.onLine) return { ok: false, status: 0, detail: NO_CONNECTION };
    const text = JSON.stringify(body);
    const sent = readSentOrder();
    const key = sent?.text === text ? sent.key : newKey();
    let mayBePlaced = sent?.text === text && !sent.isRefused;
    storeSentOrder({ text, key });
    const { signal } = unmount.current;
    for (;;) {
      const outcome = await call("placeOrder", { body }, undefined, key);
      if (signal.aborted) return null;
      mayBePlaced ||= !outcome.ok && mayHaveTakenEffect(outcome);
      storeSentOrder(isDecided(outcome) ? null : { text, key, isRefused: !mayBePlaced });
      if (outcome.ok || !isLost(outcome)) {
        showMessage(null);
        return outcome;
      }
      showMessage(OUTCOME_UNKNOWN);
      await Promise.race([whenReconnected(signal).catch(() => {}), pause(PAUSE_MS)]);
      if (signal.aborted) return null;
    }
  };
}

const PAUSE_MS = 3000;

async function saveToAddressBook(body: Input<"addAddress">["body"]): Promise<void> {
  const outcome = await call("addAddress", { body });
  if (!outcome.ok) toast.error(`The address was not added to your address book. ${outcome.detail}`);
}

function noteOf(form: HTMLFormElement | null): string {
  return (form?.elements.namedItem("note") as HTMLTextAreaElement | null)?.value ?? "";
}

function toLine({ row, line }: CheckedRow) {
  return {
    productId: row.productId as string,
    quantity: Number(row.quantity),
    ...(line?.price !== undefined && { price: line.price }),
  };
}
