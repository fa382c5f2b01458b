import type { CartLine } from "../../../api/cart-calls.ts";
import type { SavedList } from "../../../api/list-calls.ts";
import { count, counted } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { toastDeleted } from "../../components/toast-deleted.ts";
import { call } from "../../data/api-client.ts";
import { addToCart } from "../../data/cart.ts";

/** Deletes a list; Undo in the toast adds it again. True if it was deleted. */
export async function deleteList(
  { _id: id, name, lines }: Pick<SavedList, "_id" | "name" | "lines">,
  onRestored: (list: SavedList) => void,
): Promise<boolean> {
  const outcome = await call("deleteSavedList", { params: { id } });
  if (!outcome.ok && outcome.status !== 404) {
    toast.error(outcome.detail);
    return false;
  }
  toastDeleted(name, "addSavedList", { body: { name, lines } }, onRestored);
  return true;
}

/**
 * Adds all lines to the cart or none. `needChange`: how many of them cannot be ordered unchanged; `leftOut`: how many
 * others are no longer sold.
 */
export function addListToCart(
  lines: readonly CartLine[],
  needChange: number,
  openCart: () => void,
  leftOut = 0,
): void {
  if (!addToCart(lines)) return;
  const added = `${counted(lines.length, "line")} added to your cart.`;
  const change =
    needChange === 0 ? "" : needChange === 1 ? " 1 needs a change." : ` ${count(needChange)} need a change.`;
  const rest =
    leftOut === 0 ? "" : leftOut === 1 ? " 1 is no longer sold." : ` ${count(leftOut)} are no longer sold.`;
  toast.success(added + change + rest, { label: "Go to cart", onPress: openCart });
}
