/** What calls answer: the entities of the specification, section 3, with its own member names. */
import { z } from "zod";

const instant = z.iso.datetime();

/** One measured fact of a tool, in the order in which the maker lists them. */
export const fact = z.object({ name: z.string(), value: z.string() });

export const product = z.object({
  _id: z.uuid(),
  name: z.string(),
  picture: z.string(),
  /** dollars each */
  price: z.number(),
  /** pieces in stock */
  quantity: z.number().int(),
  minimum_order: z.number().int(),
  /** sold in multiples of so many pieces; missing where it is 1 */
  order_multiple: z.number().int().optional(),
  /** from `quantity` pieces upward each costs `price` dollars; ascending, missing where there are none */
  price_breaks: z.array(z.object({ quantity: z.number().int(), price: z.number() })).optional(),
  description: z.string(),
  itemNumber: z.string().optional(),
  category: z.string().optional(),
  keyFact: z.string().optional(),
  powerSource: z.string().optional(),
  technicalData: z.array(fact).optional(),
  /** x, y, width and height of the tool within its 640 × 480 drawing, for dimension lines */
  drawnBox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  /** millimetres */
  dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  /** all of them in their order, the first of which is `picture`; only of a single tool, and only if it has several */
  pictures: z.array(z.object({ url: z.string(), alt: z.string() })).optional(),
  /** grows with each edit; an edit names the one it saw */
  version: z.number().int().optional(),
});

export const purchase = z.object({
  _id: z.uuid(),
  /** the buyer's name */
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
  /** the order that it is a line of */
  orderId: z.uuid(),
  /** of `purchaseQuantity`, those that were shipped; missing before the first shipment */
  shippedPieces: z.number().int().optional(),
  /** while it is unpaid: when it will be cancelled and its stock released; missing where orders do not expire */
  keptUntil: instant.optional(),
  paidAt: instant.optional(),
  shippedAt: instant.optional(),
  /** dollars that went back, or are on their way back, of what was paid */
  refunded: z.number().optional(),
  /** the goods are back in stock, or never left it */
  returned: z.literal(true).optional(),
  /** a pending refund restocks the items; the order cannot be shipped */
  restocking: z.literal(true).optional(),
  /** the cardholder's bank has taken the money back for the time being: a dispute that is not decided */
  disputed: z.literal(true).optional(),
  /** paid in the sandbox or in the provider's test mode: no money came */
  testPayment: z.literal(true).optional(),
});

/** What was placed together; its lines are purchases. */
export const order = z.object({
  _id: z.uuid(),
  /** shown to people; never used again */
  number: z.number().int(),
  /** derived from its lines; `cancelled` when all of them are */
  status: z.enum(["unpaid", "paid", "partly_shipped", "shipped", "cancelled"]),
  /** the buyer's name and email */
  name: z.string(),
  email: z.string(),
  poNumber: z.string().optional(),
  contact: z.string().optional(),
  /** for the warehouse */
  note: z.string().optional(),
  /** dollars, without cancelled lines */
  total: z.number(),
  /** dollars of the unpaid lines; missing where there are none */
  due: z.number().optional(),
  placedAt: instant,
  /** while a line is unpaid: when it will be cancelled and its stock released */
  keptUntil: instant.optional(),
  /** all without cancelled ones */
  lineCount: z.number().int(),
  pieces: z.number().int(),
  shippedPieces: z.number().int(),
  lines: z.array(purchase),
});

export const user = z.object({
  email: z.string(),
  name: z.string(),
  role: z.enum(["admin", "user"]),
  /** whether a link that was sent to the address has been opened */
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

/** A refusal or failure as problem JSON (RFC 9457). `fields` names what is wrong in an input. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  /** the server's values where the client's were out of date */
  current: z.record(z.string(), z.number()).optional(),
  /** the record as it is now, where another change came first */
  present: z.record(z.string(), z.unknown()).optional(),
  /** of an order, one for each line that is refused, with the values that would be right */
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
