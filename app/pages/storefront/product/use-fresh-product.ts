/** A tool's price and stock change while its page is open; this keeps what the page shows true. */
import { useCallback, useEffect, useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import { formatMoney, toCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { call } from "../../../data/api-client.ts";

export interface FreshProduct {
  product: Product;
  /** the tool was taken off the catalogue while the page was open */
  gone: boolean;
  /** both prices in words, after a change */
  priceNote: string | null;
  /** asks for the tool as it is now; without a connection everything stays as it was */
  refresh: () => Promise<void>;
  /** takes over today's price, as a refusal of the purchase names it */
  takePrice: (price: number) => void;
}

/** Asks again each time the person comes back to the window. */
export function useFreshProduct(given: Product): FreshProduct {
  const [product, setProduct] = useState(given);
  const [gone, setGone] = useState(false);
  const [priceNote, setPriceNote] = useState<string | null>(null);

  const take = useCallback((next: Product, now: Product) => {
    if (next.price !== now.price)
      setPriceNote(refusals.priceChanged(dollars(now.price), dollars(next.price)));
    return next;
  }, []);

  const refresh = useCallback(async () => {
    const answer = await call("findProduct", { params: { id: given._id } });
    if (answer.ok) return setProduct((now) => take(answer.data, now));
    if (answer.status === 404) setGone(true);
  }, [given._id, take]);

  useEffect(() => {
    const onFocus = () => document.visibilityState === "visible" && void refresh();
    window.addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onFocus);
    return () => {
      window.removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onFocus);
    };
  }, [refresh]);

  const takePrice = useCallback((price: number) => setProduct((now) => ({ ...now, price })), []);
  return { product, gone, priceNote, refresh, takePrice };
}

function dollars(amount: number): string {
  return formatMoney(toCents(amount) ?? 0);
}
