import { type MouseEvent, type RefObject, useEffect, useState } from "react";
import { counted, dollars } from "../../../components/format.ts";

interface PurchaseBarProps {
  form: RefObject<HTMLFormElement | null>;
  /** null if it cannot be ordered */
  quantity: number | null;
  price: number;
}

/** On a phone, price, quantity and a link to the form at the bottom of the screen, while the form is out of view. */
export function PurchaseBar({ form, quantity, price }: PurchaseBarProps) {
  const [isFormInView, setIsFormInView] = useState(false);
  useEffect(() => {
    if (!form.current) return;
    const observer = new IntersectionObserver(([entry]) => setIsFormInView(entry?.isIntersecting === true), {
      // its first fields are in view
      rootMargin: "0px 0px -40%",
    });
    observer.observe(form.current);
    return () => observer.disconnect();
  }, [form]);

  function goToForm(event: MouseEvent) {
    event.preventDefault();
    form.current?.scrollIntoView({ block: "start" });
    form.current?.querySelector<HTMLElement>("input:enabled, textarea")?.focus({ preventScroll: true });
  }

  if (isFormInView) return null;
  return (
    <div className="buy-bar">
      <span>
        <b>{dollars(price)}</b>
        <small>{quantity === null ? "per piece" : `× ${counted(quantity, "piece")}`}</small>
      </span>
      <a className="btn btn--primary" href={`#${form.current?.id ?? "purchase-order"}`} onClick={goToForm}>
        Purchase
      </a>
    </div>
  );
}
