import type { Product } from "../../../api/entities.ts";
import { counted } from "../../components/format.ts";
import { toast } from "../../components/toast.ts";
import { addToCart } from "../../data/cart.ts";
import { readCart } from "../../data/cart-storage.ts";
import { formatPieces } from "../orders/order-wording.ts";

/** Adds pieces of one product to the cart and shows a toast with a link to it. */
export function addProduct(
  { _id, name }: Pick<Product, "_id" | "name">,
  quantity: number,
  price: number,
  openCart: () => void,
): void {
  if (!addToCart([{ productId: _id, quantity, price }])) return;
  const lines = readCart().lines.length;
  toast.success(`Added ${formatPieces(quantity, name)}.`, {
    label: `Cart, ${counted(lines, "line")}`,
    onPress: openCart,
  });
}
