import { useNavigate } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { changeCart } from "../../data/cart.ts";

type Line = Pick<Purchase, "productId" | "purchaseQuantity" | "price">;

interface OrderAgainProps {
  lines: Line[];
  /** what is ordered again, for screen readers: "order 10482" */
  what?: string;
  look?: "primary" | "line";
  size?: "sm" | "md";
}

/** Adds the lines to the cart, and opens it. */
export function OrderAgain({ lines, what, ...look }: OrderAgainProps) {
  const navigate = useNavigate();

  function orderAgain() {
    addLinesToCart(lines);
    toast.success(lines.length === 1 ? "1 line added." : `${count(lines.length)} lines added.`);
    void navigate("/cart");
  }

  return (
    <Button icon="retry" aria-label={what && `Order Again, ${what}`} onClick={orderAgain} {...look}>
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
