/** Keeps price and stock of an open product page current. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import { call } from "../../../data/api-client.ts";
import { useOnReturn } from "../../../data/use-on-return.ts";

export interface FreshProduct {
  product: Product;
  /** the product was removed from sale while the page was open */
  isDiscontinued: boolean;
  /** as it was before its prices last changed */
  before: Product | null;
  /** reloads the product; without a connection everything stays unchanged */
  refresh: () => Promise<void>;
  /** `true` ignores reloads: a sent order may have taken the pieces, and must be sent again unchanged */
  hold: (held: boolean) => void;
  /** sets the current price, from a refused purchase */
  setPrice: (price: number) => void;
}

/** Reloads the product each time the user returns to the window. */
export function useFreshProduct(loaded: Product): FreshProduct {
  const [product, setProduct] = useState(loaded);
  const [isDiscontinued, setIsDiscontinued] = useState(false);
  const [before, setBefore] = useState<Product | null>(null);

  const isHeld = useRef(false);
  /** the last request or change; responses to earlier requests are ignored */
  const latest = useRef(0);
  const hold = useCallback((held: boolean) => {
    isHeld.current = held;
  }, []);

  const show = useCallback((next: Product) => {
    if (isHeld.current) return;
    setProduct((now) => {
      if (pricesOf(next) !== pricesOf(now)) setBefore(now);
      return next;
    });
  }, []);

  const refresh = useCallback(async () => {
    const own = ++latest.current;
    const outcome = await call("findProduct", { params: { id: loaded._id } });
    if (own !== latest.current) return;
    if (outcome.ok) show(outcome.data);
    else if (outcome.status === 404 && !isHeld.current) setIsDiscontinued(true);
  }, [loaded._id, show]);

  // the page's data was reloaded
  useEffect(() => show(loaded), [loaded, show]);

  useOnReturn(refresh);

  const setPrice = useCallback((price: number) => {
    latest.current += 1;
    setProduct((now) => ({ ...now, price }));
  }, []);
  return { product, isDiscontinued, before, refresh, hold, setPrice };
}

function pricesOf({ price, price_breaks }: Product): string {
  return JSON.stringify([price, price_breaks]);
}
