import { z } from "zod";

const instant = z.iso.datetime();

const integer = z.number().int();

const fact = z.object({ name: z.string(), value: z.string() });

export const product = z.object({
  _id: z.uuid(),
  name: z.string(),
  picture: z.string().describe("The URL of its first picture."),
  price: z.number().describe("In dollars per piece, at the minimum order."),
  quantity: integer.describe("The stock: pieces that can be ordered now."),
  minimum_order: integer,
  order_multiple: integer.optional().describe("Quantities are multiples of it. Absent if it is 1."),
  price_breaks: z
    .array(z.object({ quantity: integer, price: z.number() }))
    .optional()
    .describe("Lower prices from a `quantity` upward, in ascending order. Absent if there are none."),
  description: z.string(),
  itemNumber: z.string().optional(),
  category: z.string().optional(),
  keyFact: z.string().optional().describe("The figure that lists show next to the name."),
  powerSource: z.string().optional(),
  technicalData: z.array(fact).optional(),
  drawnBox: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe("Where its 640 × 480 drawing shows it: x, y, width and height."),
  dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  pictures: z
    .array(z.object({ url: z.string(), alt: z.string() }))
    .optional()
    .describe("All pictures, if there are several. Only of a single product."),
  reorderPoint: integer
    .optional()
    .describe("The stock below which it is to be reordered. For admins only; absent if it is 0."),
  archived: z.literal(true).optional().describe("It is no longer sold. For admins only."),
  version: integer
    .optional()
    .describe("Increases with each edit. Send the version that an edit is based on."),
});

export const purchase = z.object({
  _id: z.uuid(),
  name: z.string().describe("The buyer's name."),
  email: z.string().describe("The buyer's email."),
  address: z.string().describe("Where it is shipped to."),
  phone: z.string(),
  purchaseQuantity: integer,
  productName: z.string().describe("As bought; the product may have another name now."),
  picture: z.string(),
  price: z.number().describe("In dollars per piece, as bought."),
  listPrice: z
    .number()
    .optional()
    .describe("In dollars per piece at the minimum order, if a price break applied."),
  total: z.number().describe("In dollars."),
  status: z.enum(["unpaid", "paid", "shipped"]),
  transactionId: z.string().optional().describe("The id of its payment at the payment provider."),
  productId: z.uuid(),
  itemNumber: z.string().optional(),
  placedAt: instant,
  orderId: z.uuid().describe("The order that it is a line of."),
  shippedPieces: integer.optional(),
  keptUntil: instant.optional().describe("When an unpaid order expires. Absent if orders do not expire."),
  paidAt: instant.optional(),
  shippedAt: instant.optional(),
  refunded: z.number().optional().describe("In dollars, with pending refunds."),
  returned: z.literal(true).optional().describe("The pieces were restocked, or never left the stock."),
  restocking: z
    .literal(true)
    .optional()
    .describe("A pending refund restocks the pieces; it cannot be shipped."),
  disputed: z.literal(true).optional().describe("The buyer's bank disputes the payment."),
  testPayment: z
    .literal(true)
    .optional()
    .describe("Paid in the sandbox or in the provider's test mode: no money was received."),
});

/** Of an order that an admin sees: it is the admin's own, also if its email is a former one. */
export const mine = z.literal(true).optional();

/** Its lines are purchases. */
export const order = z.object({
  _id: z.uuid(),
  number: integer.describe("The number that people see. Never reused."),
  status: z
    .enum(["unpaid", "paid", "partly_shipped", "shipped", "cancelled"])
    .describe("Derived from its lines; `cancelled` if all of them are."),
  fulfillment: z
    .enum(["shipped", "refunded"])
    .optional()
    .describe(
      "Instead of `status`, if nothing is left to ship because the other lines, or all, were refunded.",
    ),
  name: z.string().describe("The buyer's name."),
  email: z.string().describe("The buyer's email."),
  poNumber: z.string().optional().describe("The buyer's own reference (purchase order number)."),
  contact: z.string().optional().describe("The person at the ship-to address."),
  note: z.string().optional().describe("What the buyer wrote for the store."),
  total: z.number().describe("In dollars, without cancelled lines."),
  due: z.number().optional().describe("In dollars, of the unpaid lines. Absent if there are none."),
  placedAt: instant,
  keptUntil: instant
    .optional()
    .describe("When the order expires. Absent once all lines are paid, or if orders do not expire."),
  lineCount: integer.describe("Without cancelled lines."),
  pieces: integer,
  shippedPieces: integer,
  lines: z.array(purchase),
});

export const user = z.object({
  email: z.string(),
  name: z.string(),
  role: z.enum(["admin", "user"]),
  emailVerified: z.boolean(),
  education: z.string().optional(),
  location: z.string().optional(),
  phone: z.string().optional(),
  linkedin: z.string().optional(),
});

export const review = z.object({
  _id: z.uuid(),
  name: z.string(),
  rating: z.number(),
  description: z.string(),
});

/** Problem JSON (RFC 9457). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: integer,
  detail: z.string(),
  code: z
    .enum(["identity_not_confirmed", "second_factor_missing", "payment_processing", "payment_not_succeeded"])
    .optional()
    .describe("Of a refusal that a client handles by itself."),
  requestId: z.string().optional().describe("Of a failure (5xx): the id of the request in the store's log."),
  traceId: z.string().optional().describe("The id of the trace, if the store exports traces."),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .describe("What is wrong with each invalid member of the input, by its name."),
  current: z
    .record(z.string(), z.number())
    .optional()
    .describe("The current `price` and `total`, if the sent ones were outdated."),
  present: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The current record, if another request changed it first."),
  lines: z
    .array(
      z.object({
        index: integer,
        code: z.string(),
        detail: z.string(),
        price: z.number().optional(),
        minimum: integer.optional(),
        multiple: integer.optional(),
        stock: integer.optional(),
      }),
    )
    .optional()
    .describe("One for each refused line of an order, with values that would be accepted."),
});

export type Product = z.infer<typeof product>;
export type Purchase = z.infer<typeof purchase>;
export type Order = z.infer<typeof order>;
/** What the buyer wrote for the whole order, and its number. */
export type OrderHeader = Pick<Order, "number" | "poNumber" | "contact" | "note">;
export type User = z.infer<typeof user>;
export type Review = z.infer<typeof review>;
export type Problem = z.infer<typeof problem>;
