import { useState } from "react";
import { useNavigate } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.ts";
import { changeCart } from "../../data/cart.ts";
import { formatLines } from "./order-wording.ts";

type Line = Pick<Purchase, "productId" | "purchaseQuantity" | "price">;

interface OrderAgainProps {
  /** null where they could not be loaded, which was said already */
  findLines: () => Promise<Line[] | null> | Line[];
  /** what is ordered again, for screen readers: "order 10482" */
  what?: string;
  look?: "primary" | "line";
  size?: "sm" | "md";
}

/** Adds the lines to the cart, and opens it. */
export function OrderAgain({ findLines, what, ...look }: OrderAgainProps) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function orderAgain() {
    setBusy(true);
    const lines = await findLines();
    setBusy(false);
    if (!lines) return;
    addLinesToCart(lines);
    toast.success(`${formatLines(lines.length)} added.`);
    await navigate("/cart");
  }

  return (
    <Button
      icon="retry"
      busy={busy}
      aria-label={what && `Order Again, ${what}`}
      onClick={() => void orderAgain()}
      {...look}
    >
      Order Again
    </Button>
  );
}

/** A product that is in the cart already gets the pieces on top. */
function addLinesToCart(lines: Line[]): void {
  changeCart((now) => {
    const cart = new Map(now.map((line) => [line.productId, line]));
    for (const { productId, purchaseQuantity, price } of lines) {
      const line = cart.get(productId) ?? { productId, quantity: 0, price };
      cart.set(productId, { ...line, quantity: line.quantity + purchaseQuantity });
    }
    return [...cart.values()];
  });
}
