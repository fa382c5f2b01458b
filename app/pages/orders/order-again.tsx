import { useNavigate } from "react-router";
import type { CartLine } from "../../../api/cart-calls.ts";
import type { Purchase } from "../../../api/entities.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { count, counted } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { addToCart } from "../../data/cart.ts";

type Line = Pick<Purchase, "productId" | "purchaseQuantity" | "price">;

interface OrderAgainProps {
  /** null after a failure that was reported */
  findLines: () => Promise<Line[] | null> | Line[];
  /** for screen readers: "order 10482" */
  subject?: string;
  look?: "primary" | "line";
  size?: "sm" | "md";
}

export function OrderAgain({ findLines, subject, ...look }: OrderAgainProps) {
  const navigate = useNavigate();

  async function orderAgain() {
    const lines = await findLines();
    const added =
      lines &&
      addToCart(
        lines.map(({ productId, purchaseQuantity, price }) => ({
          productId,
          quantity: purchaseQuantity,
          price,
        })),
      );
    // busy until the cart is open: the second press of a double click would add the lines again
    if (added) await Promise.all([navigate("/cart"), reportAdded(added)]);
  }

  return (
    <ActionButton
      icon="retry"
      aria-label={subject && `Order Again, ${subject}`}
      onClick={orderAgain}
      {...look}
    >
      Order Again
    </ActionButton>
  );
}

/** "7 lines added. 1 needs a change." */
async function reportAdded(lines: CartLine[]): Promise<void> {
  const checked = await call("checkLines", { body: { lines } });
  const wrong = checked.ok ? checked.data.lines.filter(({ code }) => code).length : 0;
  const change = wrong === 0 ? "" : ` ${count(wrong)} ${wrong === 1 ? "needs" : "need"} a change.`;
  toast.success(`${counted(lines.length, "line")} added.${change}`);
}
