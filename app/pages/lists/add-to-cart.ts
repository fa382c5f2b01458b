import type { CartLine } from "../../../api/cart-calls.ts";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { addToCart } from "../../data/cart.ts";

/**
 * Adds lines to the cart; adds nothing where the cart cannot hold all.
 * @param needChange how many of the lines cannot be ordered as they are
 */
export function addListToCart(lines: readonly CartLine[], needChange: number, openCart: () => void): void {
  if (!addToCart(lines)) return;
  const added =
    lines.length === 1 ? "1 line added to your cart." : `${count(lines.length)} lines added to your cart.`;
  const change =
    needChange === 0 ? "" : needChange === 1 ? " 1 needs a change." : ` ${count(needChange)} need a change.`;
  toast.success(added + change, { label: "Go to cart", onPress: openCart });
}
