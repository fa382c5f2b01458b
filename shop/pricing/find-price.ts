import { fromCents } from "../money.ts";
import { quantityProblem } from "../orders/rules.ts";
import { findProductRow } from "../products/queries.ts";
import { type Result, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { activeBreak, cheaperQuantity, nextBreak, roundUpToMultiple, unitPriceCents } from "./rules.ts";

export async function findPrice(store: Store, id: string, quantity: number): Result<"findPrice"> {
  const product = await findProductRow(store, id);
  if (!product) return refuse("missing", refusals.productNotFound);
  const problem = quantityProblem(quantity, product);
  if (problem) return refuseField("quantity", problem);
  const active = activeBreak(product, quantity);
  const next = nextBreak(product, quantity);
  const cheaper = cheaperQuantity(product, quantity);
  const priced = (pieces: number) => {
    const cents = unitPriceCents(product, pieces);
    return { quantity: pieces, price: fromCents(cents), total: fromCents(cents * pieces) };
  };
  return {
    ...priced(quantity),
    ...(active && { break: active.quantity }),
    ...(next && { next: priced(roundUpToMultiple(next.quantity, product.order_multiple)) }),
    ...(cheaper && {
      cheaper: {
        quantity: cheaper.quantity,
        total: fromCents(cheaper.totalCents),
        saves: fromCents(cheaper.savesCents),
      },
    }),
  };
}
