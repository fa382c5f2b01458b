import { z } from "zod";
import { MAX_PIECES } from "../shop/cart/limits.ts";
import { toCents } from "../shop/money.ts";
import { smallestOrderProblem } from "../shop/orders/rules.ts";
import { breaksProblem } from "../shop/pricing/rules.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { product } from "./entities.ts";
import { amount, line, picture, pieces, prose } from "./fields.ts";

export const stock = (most: number) => pieces(0, messages.product.quantityRequired, most);

/** Cancelled orders may have raised a stock of `seen` pieces above a million, which an edit may keep. */
export const mostStock = (seen: number) => Math.max(MAX_PIECES, seen);

const fields = z.object({
  name: line(200, messages.product.nameRequired),
  price: amount(messages.product.priceRequired, refusals.priceTooLow, refusals.priceTooHigh),
  minimum_order: pieces(1, messages.product.minimumOrderRequired),
  order_multiple: pieces(1, refusals.required).optional(),
  price_breaks: z
    .array(
      z.object({
        quantity: pieces(2, refusals.required),
        price: amount(refusals.required, refusals.priceTooLow, refusals.priceTooHigh),
      }),
    )
    .optional(),
  quantity: stock(MAX_PIECES),
  description: prose(5000, messages.product.descriptionRequired),
  picture,
  itemNumber: line(60, refusals.required).optional(),
  category: line(80, refusals.required).optional(),
  keyFact: line(120, refusals.required).optional(),
  powerSource: line(80, refusals.required).optional(),
  technicalData: z
    .array(z.object({ name: line(80, refusals.required), value: line(200, refusals.required) }))
    .max(40)
    .optional(),
  drawnBox: product.shape.drawnBox,
  dimensions: z
    .object({ width: z.number().positive().max(100_000), height: z.number().positive().max(100_000) })
    .optional(),
});

const priced = fields.pick({ price: true, minimum_order: true, order_multiple: true, price_breaks: true });

/** POST /products (specification, section 5). The minimum order must not exceed a card payment. */
export const productForm = fields
  .refine((tool) => minimumProblem(tool) === null, {
    path: ["minimum_order"],
    error: ({ input }) => minimumProblem(input as PricedFields) ?? undefined,
    when: ({ value }) => priced.safeParse(value).success,
  })
  .refine((tool) => priceBreaksProblem(tool) === null, {
    path: ["price_breaks"],
    error: ({ input }) => priceBreaksProblem(input as PricedFields) ?? undefined,
    when: ({ value }) => priced.safeParse(value).success,
  });

type PricedFields = z.output<typeof priced>;

function minimumProblem({ price, minimum_order: minimum, order_multiple: multiple = 1 }: PricedFields) {
  if (minimum % multiple !== 0) return refusals.minimumNotAMultiple(multiple);
  return smallestOrderProblem(toCents(price) ?? 0, minimum);
}

function priceBreaksProblem({ price, minimum_order, price_breaks = [] }: PricedFields): string | null {
  const breaks = price_breaks.map((one) => ({
    quantity: one.quantity,
    price_cents: toCents(one.price) ?? 0,
  }));
  return breaksProblem({ price_cents: toCents(price) ?? 0, minimum_order }, breaks);
}
