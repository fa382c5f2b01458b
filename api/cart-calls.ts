import { z } from "zod";
import { MAX_LINES } from "../shop/cart/limits.ts";
import { orderRefusals } from "../shop/texts/order-refusals.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { call } from "./call.ts";
import { clientAmount, count, id, note, payable, pieces } from "./fields.ts";

/** At most as many as an order may have; `tooMany` is the message for more. */
export const linesOf = <Line extends z.ZodType>(
  line: Line,
  least = 0,
  tooMany: string = orderRefusals.tooManyLines(MAX_LINES),
) =>
  z
    .array(line, { error: orderRefusals.linesRequired })
    .min(least, orderRefusals.linesRequired)
    .max(MAX_LINES, tooMany);

const checkForm = z.object({
  lines: linesOf(
    z
      .object({
        text: note(300).optional().describe("An item number in any spelling, or a product name."),
        itemNumber: note(100).optional(),
        productId: id.optional(),
        quantity: z
          .union([z.number(), note(40)], { error: refusals.numberRequired })
          .optional()
          .describe('A number, or text such as "1,200". The minimum order if absent or blank.'),
        price: clientAmount.optional().describe("In dollars per piece, as shown to the buyer."),
      })
      .refine(({ text, itemNumber, productId }) => productId || itemNumber?.trim() || text?.trim(), {
        path: ["text"],
        error: orderRefusals.productOrItemNumber,
      }),
    1,
  ),
});

const suggestion = z.object({
  productId: z.uuid(),
  itemNumber: z.string().optional(),
  name: z.string(),
  picture: z.string(),
});

const checkedLine = z.object({
  index: count,
  productId: z.uuid().optional(),
  name: z.string().optional(),
  itemNumber: z.string().optional(),
  picture: z.string().optional(),
  minimumOrder: count.optional(),
  orderMultiple: count.optional(),
  stock: count.optional(),
  quantity: z.number().optional(),
  price: z.number().optional().describe("In dollars per piece, at the total quantity of the product."),
  priceFrom: count.optional().describe("The quantity from which this price applies, if it is a price break."),
  listPrice: z.number().optional(),
  total: z.number().optional(),
  nextBreak: z
    .object({ quantity: count, price: z.number(), total: z.number() })
    .optional()
    .describe(
      "The `quantity` is what this line would need; the `total` is that of all lines of the product.",
    ),
  cheaper: z.object({ quantity: count, total: z.number(), saves: z.number() }).optional(),
  code: z
    .enum([
      "unknown",
      "archived",
      "bad_quantity",
      "below_minimum",
      "not_a_multiple",
      "above_stock",
      "price_changed",
    ])
    .optional(),
  detail: z.string().optional(),
  previousPrice: z.number().optional().describe("The price in the request, if it has changed."),
  fixes: z
    .array(
      z.object({
        quantity: count.optional(),
        productId: z.uuid().optional(),
        label: z.string(),
      }),
    )
    .optional()
    .describe("Quantities or products that would be accepted, the recommended one first."),
  suggestions: z
    .array(suggestion)
    .optional()
    .describe("Up to three products, for an unknown or ambiguous line."),
});

export type CheckedLine = z.infer<typeof checkedLine>;

export const cartLine = z.object({
  productId: id,
  quantity: pieces(1, refusals.numberRequired),
  price: payable.optional(),
});

export type CartLine = z.infer<typeof cartLine>;

export function onePerProduct(lines: { productId: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { productId }] of lines.entries()) {
    if (seen.has(productId))
      context.addIssue({ code: "custom", path: [index, "productId"], message: orderRefusals.lineTwice });
    seen.add(productId);
  }
}

const cartLines = linesOf(cartLine).superRefine(onePerProduct);

const cart = z.object({
  version: count.describe("Increases with every change, from 0. Send the version that a change is based on."),
  lines: z.array(cartLine),
});

export type Cart = z.infer<typeof cart>;

export const cartCalls = {
  checkLines: call("POST /lines/check", {
    access: "anyone",
    idempotency: "none",
    manyLines: true,
    summary:
      "Finds the tools of up to 5,000 typed or pasted lines, prices them, and returns what is wrong with each line and what would be right. Lines of the same tool are added up first.",
    body: checkForm,
    output: z.object({
      lines: z.array(checkedLine),
      total: z.number().describe("In dollars, of the lines that can be ordered unchanged."),
      pieces: count,
    }),
  }),
  findCart: call("GET /cart", {
    access: "user",
    summary: "Your cart.",
    output: cart,
  }),
  saveCart: call("PUT /cart", {
    access: "user",
    idempotency: "transaction",
    manyLines: true,
    summary:
      "Replaces the lines of your cart; 409 with the current cart where `version` is not the current one.",
    body: z.object({ version: z.number().int().min(0), lines: cartLines }),
    // without the lines, which would be stored for each idempotency key
    output: cart.pick({ version: true }),
  }),
  mergeCart: call("POST /cart/merge", {
    access: "user",
    idempotency: "transaction",
    manyLines: true,
    summary:
      "Adds lines to your cart, as after signing in. Of the same tool the larger quantity is kept; `raised` names each that grew.",
    body: z.object({ lines: cartLines }),
    output: cart.extend({
      raised: z.array(z.object({ productId: z.uuid(), from: count, to: count })),
    }),
  }),
};
