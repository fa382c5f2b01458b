import { refusals } from "../texts/refusals.ts";

export interface PriceBreak {
  quantity: number;
  price_cents: number;
}

/** Breaks ascend by quantity and descend in price. */
export interface Priced {
  price_cents: number;
  price_breaks: readonly PriceBreak[];
}

export interface Orderable extends Priced {
  minimum_order: number;
  order_multiple: number;
  quantity: number;
}

const MAX_BREAKS = 6;

export function activeBreak({ price_breaks }: Priced, quantity: number): PriceBreak | null {
  return price_breaks.findLast((step) => step.quantity <= quantity) ?? null;
}

export function nextBreak({ price_breaks }: Priced, quantity: number): PriceBreak | null {
  return price_breaks.find((step) => step.quantity > quantity) ?? null;
}

export function unitPriceCents(product: Priced, quantity: number): number {
  return activeBreak(product, quantity)?.price_cents ?? product.price_cents;
}

export function roundUpToMultiple(quantity: number, multiple: number): number {
  return Math.ceil(quantity / multiple) * multiple;
}

/** The nearest multiple above or below a quantity, which may lie between two. */
export function nextMultiple(quantity: number, multiple: number, direction: 1 | -1): number {
  const round = direction > 0 ? Math.floor : Math.ceil;
  return (round(quantity / multiple) + direction) * multiple;
}

/** The largest quantity that the stock allows; 0 if it is below the minimum order. */
export function mostOrderable({ minimum_order, order_multiple, quantity: stock }: Orderable): number {
  const most = Math.floor(stock / order_multiple) * order_multiple;
  return most >= minimum_order ? most : 0;
}

/** Why `quantity` is not sold, with the nearest multiples, or null. */
export function multipleProblem(
  quantity: number,
  product: Pick<Orderable, "minimum_order" | "order_multiple" | "quantity">,
): string | null {
  const { order_multiple: multiple, minimum_order: minimum } = product;
  if (quantity % multiple === 0) return null;
  const above = roundUpToMultiple(quantity, multiple);
  const nearest = [above - multiple, above].filter(
    (candidate) => candidate >= minimum && candidate <= product.quantity,
  );
  return refusals.notAMultiple(multiple, nearest);
}

export interface Cheaper {
  quantity: number;
  totalCents: number;
  savesCents: number;
}

/** Only the first quantity of each break can be cheaper in total: within a break more pieces cost more. */
export function cheaperQuantity(product: Orderable, quantity: number): Cheaper | null {
  const totalCents = unitPriceCents(product, quantity) * quantity;
  const most = mostOrderable(product);
  let best: Cheaper | null = null;
  for (const step of product.price_breaks) {
    const more = roundUpToMultiple(step.quantity, product.order_multiple);
    if (more <= quantity || more > most) continue;
    const moreCents = unitPriceCents(product, more) * more;
    if (moreCents < (best?.totalCents ?? totalCents))
      best = { quantity: more, totalCents: moreCents, savesCents: totalCents - moreCents };
  }
  return best;
}

/** Null if the breaks ascend from above the minimum order, each cheaper than the last. */
export function breaksProblem(
  { price_cents, minimum_order }: Pick<Orderable, "price_cents" | "minimum_order">,
  breaks: readonly PriceBreak[],
): string | null {
  if (breaks.length > MAX_BREAKS) return refusals.tooManyBreaks(MAX_BREAKS);
  let last: PriceBreak = { quantity: minimum_order, price_cents };
  for (const step of breaks) {
    if (step.quantity <= last.quantity) return refusals.breakTooSmall(step.quantity, last.quantity);
    if (step.price_cents >= last.price_cents) return refusals.breakNotCheaper(step.quantity);
    last = step;
  }
  return null;
}
