/** Handles Add in a list of products. Loaded on the first press. */
import type { ReactNode } from "react";
import type { Product } from "../../../../api/entities.ts";
import { readQuantity } from "../../../../shop/cart/read-quantity.ts";
import { quantityProblem } from "../../../../shop/orders/rules.ts";
import { mostOrderable, roundUpToMultiple, unitPriceCents } from "../../../../shop/pricing/rules.ts";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { addProduct } from "../../cart/add-product.ts";
import { toOrderable } from "../product/order-total.ts";

export interface AddProblem {
  productId: string;
  note: ReactNode;
}

interface AddRowOptions {
  /** the id of the note with the problem */
  noteId: string;
  openCart: () => void;
  setQuantity: (quantity: number) => void;
}

/** Adds the typed quantity to the cart, or returns why not. */
export function addRow(
  tool: Product,
  typed: string,
  { noteId, openCart, setQuantity }: AddRowOptions,
): AddProblem | null {
  const quantity = readQuantity(typed) ?? Number.NaN;
  const product = toOrderable(tool);
  const text = quantityProblem(quantity, product);
  if (text)
    return {
      productId: tool._id,
      note: (
        <AddProblemNote id={noteId} text={text} fixes={fixesOf(quantity, product)} onChoose={setQuantity} />
      ),
    };
  addProduct(tool, quantity, unitPriceCents(product, quantity) / 100, openCart);
  return null;
}

interface AddProblemNoteProps {
  id: string;
  text: string;
  fixes: number[];
  onChoose: (quantity: number) => void;
}

/** Why the quantity was not added, with alternatives. */
function AddProblemNote({ id, text, fixes, onChoose }: AddProblemNoteProps) {
  return (
    <p className="add-problem">
      <Icon name="alert" />
      <span id={id} role="alert">
        {text}
      </span>
      {fixes.map((quantity) => (
        <Button key={quantity} size="sm" onClick={() => onChoose(quantity)}>
          Take {count(quantity)}
        </Button>
      ))}
    </p>
  );
}

/** The nearest quantities that are sold, smaller first. */
function fixesOf(quantity: number, product: ReturnType<typeof toOrderable>): number[] {
  const { minimum_order: minimum, order_multiple: multiple } = product;
  const maximum = mostOrderable(product);
  if (maximum === 0) return [];
  if (!Number.isFinite(quantity)) return [minimum];
  const above = roundUpToMultiple(Math.ceil(quantity), multiple);
  const near = [above - multiple, above].map((multipleNear) =>
    Math.min(maximum, Math.max(minimum, multipleNear)),
  );
  return [...new Set(near)];
}
