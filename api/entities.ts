import { z } from "zod";

const instant = z.iso.datetime();

const fact = z.object({ name: z.string(), value: z.string() });

export const product = z.object({
  _id: z.uuid(),
  name: z.string(),
  picture: z.string(),
  price: z.number(),
  quantity: z.number().int(),
  minimum_order: z.number().int(),
  /** missing if it is 1 */
  order_multiple: z.number().int().optional(),
  /** ascending by `quantity`; missing if there are none */
  price_breaks: z.array(z.object({ quantity: z.number().int(), price: z.number() })).optional(),
  description: z.string(),
  itemNumber: z.string().optional(),
  category: z.string().optional(),
  keyFact: z.string().optional(),
  powerSource: z.string().optional(),
  technicalData: z.array(fact).optional(),
  /** x, y, width and height of the product within its 640 × 480 drawing, for dimension lines */
  drawnBox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  /** in order, the first is `picture`; only of a single product, and only if it has several */
  pictures: z.array(z.object({ url: z.string(), alt: z.string() })).optional(),
  /** only for admins; missing if it is 0 */
  reorderPoint: z.number().int().optional(),
  /** only for admins: no longer sold */
  archived: z.literal(true).optional(),
  /** increases with each edit; an edit sends the one it was based on */
  version: z.number().int().optional(),
});

export const purchase = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  address: z.string(),
  phone: z.string(),
  purchaseQuantity: z.number().int(),
  productName: z.string(),
  picture: z.string(),
  price: z.number(),
  total: z.number(),
  status: z.enum(["unpaid", "paid", "shipped"]),
  transactionId: z.string().optional(),
  productId: z.uuid(),
  itemNumber: z.string().optional(),
  placedAt: instant,
  orderId: z.uuid(),
  shippedPieces: z.number().int().optional(),
  /** of an unpaid order: when it expires; missing if orders do not expire */
  keptUntil: instant.optional(),
  paidAt: instant.optional(),
  shippedAt: instant.optional(),
  /** dollars, pending or completed */
  refunded: z.number().optional(),
  /** the pieces were restocked, or never left the stock */
  returned: z.literal(true).optional(),
  /** a pending refund restocks the pieces; the order cannot be shipped */
  restocking: z.literal(true).optional(),
  disputed: z.literal(true).optional(),
  /** paid in the sandbox or in the provider's test mode: no money was received */
  testPayment: z.literal(true).optional(),
});

/** Of an order that an admin sees: it is the admin's own, also if its email is a former one. */
export const mine = z.literal(true).optional();

/** Its lines are purchases. */
export const order = z.object({
  _id: z.uuid(),
  /** shown to users; never reused */
  number: z.number().int(),
  /** derived from its lines; `cancelled` if all of them are */
  status: z.enum(["unpaid", "paid", "partly_shipped", "shipped", "cancelled"]),
  /** the buyer's name and email */
  name: z.string(),
  email: z.string(),
  poNumber: z.string().optional(),
  contact: z.string().optional(),
  note: z.string().optional(),
  /** dollars, without cancelled lines */
  total: z.number(),
  /** dollars of the unpaid lines; missing if there are none */
  due: z.number().optional(),
  placedAt: instant,
  /** while a line is unpaid: when the order expires */
  keptUntil: instant.optional(),
  /** without cancelled ones */
  lineCount: z.number().int(),
  pieces: z.number().int(),
  shippedPieces: z.number().int(),
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

/** Problem JSON (RFC 9457). `fields` names the invalid members of the input. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** of a failure (5xx): the id of the request in the log of the store */
  requestId: z.string().optional(),
  /** where requests are traced */
  traceId: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  current: z.record(z.string(), z.number()).optional(),
  /** the current record, if it was changed by another request first */
  present: z.record(z.string(), z.unknown()).optional(),
  /** one for each refused line of an order, with values that would be accepted */
  lines: z
    .array(
      z.object({
        index: z.number().int(),
        code: z.string(),
        detail: z.string(),
        price: z.number().optional(),
        minimum: z.number().int().optional(),
        multiple: z.number().int().optional(),
        stock: z.number().int().optional(),
      }),
    )
    .optional(),
});

export type Product = z.infer<typeof product>;
export type Purchase = z.infer<typeof purchase>;
export type Order = z.infer<typeof order>;
export type User = z.infer<typeof user>;
export type Review = z.infer<typeof review>;
export type Problem = z.infer<typeof problem>;
