import { useState } from "react";
import { useNavigate } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { type CartLine, changeCart } from "../../data/cart.ts";
import { formatLines } from "./order-wording.ts";

type Line = Pick<Purchase, "productId" | "purchaseQuantity" | "price">;

interface OrderAgainProps {
  /** null after a failure that was reported */
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
    const added = addLinesToCart(lines);
    await Promise.all([navigate("/cart"), reportAdded(added)]);
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

/** Returns the lines as they are in the cart now. A product that was there already gets the pieces on top. */
function addLinesToCart(lines: Line[]): CartLine[] {
  const added = new Map<string, CartLine>();
  changeCart((now) => {
    const cart = new Map(now.map((line) => [line.productId, line]));
    for (const { productId, purchaseQuantity, price } of lines) {
      const line = cart.get(productId) ?? { productId, quantity: 0, price };
      const raised = { ...line, quantity: line.quantity + purchaseQuantity };
      cart.set(productId, raised);
      added.set(productId, raised);
    }
    return [...cart.values()];
  });
  return [...added.values()];
}

/** "7 lines added. 1 needs a change." */
async function reportAdded(lines: CartLine[]): Promise<void> {
  const checked = await call("checkLines", { body: { lines } });
  const wrong = checked.ok ? checked.data.lines.filter(({ code }) => code).length : 0;
  const change = wrong === 0 ? "" : ` ${count(wrong)} ${wrong === 1 ? "needs" : "need"} a change.`;
  toast.success(`${formatLines(lines.length)} added.${change}`);
}
