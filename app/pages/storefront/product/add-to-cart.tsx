import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { toast } from "../../../components/toast.ts";
import { useCartQuantities } from "../../../data/use-cart-quantities.ts";

interface AddToCartProps {
  product: Product;
  /** null while it cannot be ordered */
  quantity: number | null;
  price: number;
}

/** Adds to the cart instead of ordering at once. Admins have no cart. */
export function AddToCart({ product, quantity, price }: AddToCartProps) {
  const inCart = useCartQuantities().get(product._id);
  const navigate = useNavigate();

  async function add() {
    const cart = await import("../../../data/cart.ts").catch(() => null);
    if (cart) cart.addProduct(product, quantity ?? 0, price, () => void navigate("/cart"));
    else toast.error("The cart could not be loaded. Check the connection and try again.");
  }

  return (
    <Button
      className="not-for-admin"
      size="lg"
      block
      icon="cart"
      disabled={quantity === null}
      onClick={() => void add()}
    >
      {inCart ? `Add to cart, ${count(inCart)} in it` : "Add to cart"}
    </Button>
  );
}
