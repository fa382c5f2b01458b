/** Keeps price and stock of an open product page current. */
import { useCallback, useEffect, useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import { formatMoney, toCents } from "../../../../shop/money.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { call } from "../../../data/api-client.ts";
import { useOnReturn } from "../../../data/use-on-return.ts";

export interface FreshProduct {
  product: Product;
  /** the product was removed from sale while the page was open */
  isDiscontinued: boolean;
  /** a message with both prices, after the price has changed */
  priceNote: string | null;
  /** reloads the product; without a connection everything stays unchanged */
  refresh: () => Promise<void>;
  /** sets the current price, from a refused purchase */
  setPrice: (price: number) => void;
}

/** Reloads the product each time the user returns to the window. */
export function useFreshProduct(loaded: Product): FreshProduct {
  const [product, setProduct] = useState(loaded);
  const [isDiscontinued, setIsDiscontinued] = useState(false);
  const [priceNote, setPriceNote] = useState<string | null>(null);

  const show = useCallback(
    (next: Product) =>
      setProduct((now) => {
        if (next.price !== now.price)
          setPriceNote(refusals.priceChanged(dollars(now.price), dollars(next.price)));
        return next;
      }),
    [],
  );

  const refresh = useCallback(async () => {
    const outcome = await call("findProduct", { params: { id: loaded._id } });
    if (outcome.ok) return show(outcome.data);
    if (outcome.status === 404) setIsDiscontinued(true);
  }, [loaded._id, show]);

  // the page's data was reloaded
  useEffect(() => show(loaded), [loaded, show]);

  useOnReturn(refresh);

  const setPrice = useCallback((price: number) => setProduct((now) => ({ ...now, price })), []);
  return { product, isDiscontinued, priceNote, refresh, setPrice };
}

function dollars(amount: number): string {
  return formatMoney(toCents(amount) ?? 0);
}
