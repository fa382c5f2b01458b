import type { CartLine } from "../../../api/cart-calls.ts";
import { count, counted } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { addToCart } from "../../data/cart.ts";

/** Adds all lines to the cart or none. `needChange`: how many of them cannot be ordered unchanged. */
export function addListToCart(lines: readonly CartLine[], needChange: number, openCart: () => void): void {
  if (!addToCart(lines)) return;
  const added = `${counted(lines.length, "line")} added to your cart.`;
  const change =
    needChange === 0 ? "" : needChange === 1 ? " 1 needs a change." : ` ${count(needChange)} need a change.`;
  toast.success(added + change, { label: "Go to cart", onPress: openCart });
}
