import { useEffect, useState } from "react";

const NONE: ReadonlyMap<string, number> = new Map();

/** Pieces in the cart by product. Empty until the cart is loaded, after hydration. */
export function useCartQuantities(): ReadonlyMap<string, number> {
  const [quantities, setQuantities] = useState(NONE);
  useEffect(() => {
    const events = new AbortController();
    const read = async () => {
      if (!("cart" in document.documentElement.dataset)) return setQuantities(NONE);
      const { readCart } = await import("./cart-storage.ts");
      if (!events.signal.aborted)
        setQuantities(new Map(readCart().lines.map((line) => [line.productId, line.quantity])));
    };
    const onChange = () => void read().catch(() => setQuantities(NONE)); // the page works without the cart
    onChange();
    document.addEventListener("cart", onChange, events);
    return () => events.abort();
  }, []);
  return quantities;
}
