import { type MouseEvent, useId } from "react";
import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { formatMoney, toCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { AddressField } from "../../../components/address-field.tsx";
import { Button } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { count, dollars } from "../../../components/format.ts";
import { NeedsScript } from "../../../components/needs-script.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PanelHead } from "../../../components/panel.tsx";
import { QuantityStepper } from "../../../components/quantity-stepper.tsx";
import { toast } from "../../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../../components/unsaved-changes-prompt.tsx";
import { useCartQuantities } from "../../../data/use-cart-quantities.ts";
import { HoldNotice } from "../../orders/hold-expiry.tsx";
import { orderProblem, toOrderable, totalCents, unitPrice } from "./order-total.ts";
import { PriceBreaks } from "./price-breaks.tsx";
import { PurchaseBar } from "./purchase-bar.tsx";
import type { FreshProduct } from "./use-fresh-product.ts";
import { fetchRules, usePurchaseForm } from "./use-purchase-form.ts";

const FORM_ID = "purchase-order";

/** Address, phone and quantity; name and email are the account's. */
export function PurchaseForm({ fresh }: { fresh: FreshProduct }) {
  const { product, before } = fresh;
  const { form, formRef, quantity, setQuantity, user, submit, isUnsaved } = usePurchaseForm(fresh);
  const problem = orderProblem(quantity, product);
  const orderable = problem === null ? quantity : null;
  const price = unitPrice(product, quantity);
  const priceBefore = before ? unitPrice(before, quantity) : price;
  const heading = useId();

  function takeQuantity(cheaper: number) {
    setQuantity(cheaper);
    // the pressed button is gone afterwards; a phone, where it has no focus, would open its keyboard
    if (document.activeElement?.matches(":focus-visible"))
      formRef.current?.querySelector<HTMLElement>("[role=spinbutton]")?.focus();
  }

  return (
    <form
      ref={formRef}
      id={FORM_ID}
      className="pdp__r panel po"
      method="post"
      noValidate
      onFocus={fetchRules}
      onSubmit={submit}
      aria-labelledby={heading}
    >
      <PanelHead title="Purchase order" id={heading}>
        <span className="t-label num">{dollars(price)} per piece</span>
      </PanelHead>
      <div className="panel__bd">
        <NeedsScript />
        <div className="two">
          <TextField label={labels.fields.name} value={user?.name ?? ""} autoComplete="off" disabled />
          <TextField
            label={labels.fields.email}
            value={user?.email ?? ""}
            title={user?.email}
            autoComplete="off"
            disabled
          />
        </div>
        <AddressField required {...form.field("address")} />
        <TextField label="Phone" note="Optional" type="tel" autoComplete="tel" {...form.field("phone")} />
        <QuantityStepper
          label="Quantity"
          value={quantity}
          onChange={setQuantity}
          min={product.minimum_order}
          max={product.quantity}
          multiple={product.order_multiple}
          marks={product.price_breaks?.map((priceBreak) => priceBreak.quantity)}
          error={problem ?? undefined}
        />
        <PriceBreaks product={toOrderable(product)} quantity={orderable} onChoose={takeQuantity} />
      </div>
      <PurchaseTotal quantity={orderable} price={price} />
      <div className="po__act">
        {priceBefore !== price && !form.refusal && (
          <Notice kind="warn">{refusals.priceChanged(dollars(priceBefore), dollars(price))}</Notice>
        )}
        <FormError>{form.refusal}</FormError>
        <Button type="submit" look="primary" size="lg" block busy={form.busy} disabled={problem !== null}>
          Purchase
        </Button>
        <AddToCart product={product} quantity={orderable} price={price} />
        <HoldNotice />
        <p className="hint hint--middle">
          Shipment starts after successful payment. Delivery takes 24 to 72 working hours.
        </p>
      </div>
      <PurchaseBar form={formRef} quantity={orderable} price={price} />
      <UnsavedChangesPrompt isUnsaved={isUnsaved}>
        Your entries in the purchase order will be lost.
      </UnsavedChangesPrompt>
    </form>
  );
}

interface PurchaseTotalProps {
  /** null if it cannot be ordered: then there is no total */
  quantity: number | null;
  price: number;
}

/** The live total with its calculation: "12 × $129.50 = $1,554.00". */
function PurchaseTotal({ quantity, price }: PurchaseTotalProps) {
  const total = totalCents(quantity, price);
  const sum = total === null ? "–" : formatMoney(total);
  return (
    <div className="total total--formula">
      <div>
        <span className="t-label">Total</span>
        <span className="soft t-sm">Pay later under My Orders</span>
      </div>
      <output>
        <span className="t-label num">
          {total === null ? "" : `${count(quantity ?? 0)} × ${formatMoney(toCents(price) ?? 0)} = `}
        </span>
        <span className="total__sum">{sum}</span>
      </output>
    </div>
  );
}

interface AddToCartProps {
  product: Product;
  /** null while it cannot be ordered */
  quantity: number | null;
  price: number;
}

/** Adds to the cart instead of ordering at once. Admins have no cart. */
function AddToCart({ product, quantity, price }: AddToCartProps) {
  const inCart = useCartQuantities().get(product._id);
  const navigate = useNavigate();

  async function add({ detail }: MouseEvent) {
    if (detail > 1) return; // the second press of a double click
    const cart = await import("../../cart/add-product.ts").catch(() => null);
    if (cart) cart.addProduct(product, quantity ?? 0, price, () => void navigate("/cart"));
    else toast.error("The cart could not be loaded. Check the connection and try again.");
  }

  return (
    <Button className="not-for-admin" size="lg" block icon="cart" disabled={quantity === null} onClick={add}>
      {inCart ? `Add to cart, ${count(inCart)} in it` : "Add to cart"}
    </Button>
  );
}
