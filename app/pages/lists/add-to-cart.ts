import type { CartLine } from "../../../api/cart-calls.ts";
import { count } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { changeCart } from "../../data/cart.ts";

// as the cart's call limits them (api/fields.ts, api/order-calls.ts), whose schemas the browser does not load
const MOST_PIECES = 1_000_000;
const MOST_LINES = 5000;

/**
 * Adds lines to the cart; pieces of a tool that is in it are added up. Adds nothing where the cart cannot hold all.
 * @param needChange how many of the lines cannot be ordered as they are
 */
export function addListToCart(lines: readonly CartLine[], needChange: number, openCart: () => void): void {
  let isFull = false;
  changeCart((present) => {
    const merged = new Map(present.map((line) => [line.productId, line]));
    for (const line of lines) {
      const quantity = (merged.get(line.productId)?.quantity ?? 0) + line.quantity;
      merged.set(line.productId, { ...line, quantity: Math.min(MOST_PIECES, quantity) });
    }
    isFull = merged.size > MOST_LINES;
    return isFull ? present : [...merged.values()];
  });
  if (isFull) {
    toast.error(`A cart holds ${count(MOST_LINES)} lines. Nothing was added.`);
    return;
  }
  const added =
    lines.length === 1 ? "1 line added to your cart." : `${count(lines.length)} lines added to your cart.`;
  const change =
    needChange === 0 ? "" : needChange === 1 ? " 1 needs a change." : ` ${count(needChange)} need a change.`;
  toast.success(added + change, { label: "Go to cart", onPress: openCart });
}
