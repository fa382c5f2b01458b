import { z } from "zod";
import { toCents } from "../shop/money.ts";
import { ORDER_EXPORT_COLUMNS } from "../shop/orders/export-columns.ts";
import { orderRefusals } from "../shop/texts/order-refusals.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { call } from "./call.ts";
import { linesOf } from "./cart-calls.ts";
import { mine, order, purchase } from "./entities.ts";
import {
  byId,
  clientAmount,
  count,
  cursors,
  deleted,
  exportQuery,
  id,
  modified,
  note,
  numeral,
  optionalProse,
  payable,
  pieces,
  prose,
  search,
  trimmed,
} from "./fields.ts";

const orderEvent = z.object({
  what: z
    .enum([
      "placed",
      "paid",
      "shipped",
      "shipmentUndone",
      "partlyShipped",
      "partialShipmentUndone",
      "refunding",
      "refunded",
      "refundRefused",
      "refundReturned",
      "refundSettled",
      "returned",
      "disputed",
      "disputeWon",
      "disputeLost",
    ])
    .describe(
      [
        "`refunding`: recorded, and sent once the payment provider responds.",
        "`refundRefused`: refused by the payment provider; shown to admins only, with its reason.",
        "`refundReturned`: rejected by the buyer's bank.",
        "`refundSettled`: refunded manually, as the reason describes.",
        "`returned`: restocked.",
        "`shipmentUndone`: before the buyer was notified.",
        "`disputed`: the buyer's bank holds the payment until the dispute is decided.",
        "`disputeWon`: decided for the store.",
      ].join(" "),
    ),
  at: z.iso.datetime(),
  amount: z.number().optional(),
  reason: z.string().optional(),
  pieces: count.optional(),
  purchaseId: z.uuid().optional().describe("The line that it is about, if the order has several."),
});

export type OrderEvent = z.infer<typeof orderEvent>;

/** PostgreSQL has no year 0. */
export const day = z.iso
  .date(orderRefusals.badDate)
  .refine((typed) => !typed.startsWith("0000"), orderRefusals.badDate);

const url = note(500)
  .refine(
    (typed) => typed === "" || (/^https?:\/\//.test(typed) && URL.canParse(typed)),
    orderRefusals.badTrackingUrl,
  )
  .default("");

export const orderForm = z.object({
  lines: linesOf(
    z
      .object({
        productId: id.optional(),
        itemNumber: note(100).optional(),
        quantity: z.number({ error: refusals.numberRequired }).int(refusals.wholeNumber),
        price: clientAmount
          .pipe(payable)
          .optional()
          .describe("In dollars per piece, as shown to the buyer. Refused if the current price is higher."),
      })
      .refine(({ productId, itemNumber }) => productId || itemNumber?.trim(), {
        path: ["productId"],
        error: orderRefusals.productOrItemNumber,
      }),
    1,
  ),
  address: prose(500, messages.purchase.addressRequired),
  phone: note(40).default("").transform(trimmed),
  contact: note(120).default("").transform(trimmed),
  poNumber: note(40).default("").transform(trimmed),
  note: optionalProse(500),
});

export const shipment = z.object({
  _id: z.uuid(),
  number: count,
  shippedAt: z.iso.datetime(),
  carrier: z.string().optional(),
  trackingNumber: z.string().optional(),
  trackingUrl: z.string().optional(),
  lines: z.array(z.object({ purchaseId: z.uuid(), quantity: count })),
  undoUntil: z.iso
    .datetime()
    .optional()
    .describe("Until when it can be undone. Its email is sent afterwards."),
});

export type Shipment = z.infer<typeof shipment>;

const tracking = {
  carrier: note(80).default("").transform(trimmed),
  trackingNumber: note(80).default("").transform(trimmed),
  trackingUrl: url,
};

const shipmentForm = z.object({
  lines: linesOf(
    z.object({
      purchaseId: id,
      quantity: pieces(1, refusals.numberRequired),
      seenShipped: pieces(0, refusals.numberRequired)
        .optional()
        .describe("The shipped pieces of the line that the admin saw. Refused if they have changed."),
    }),
    1,
  ),
  ...tracking,
});

const orderDetails = order.extend({
  mine,
  address: z.string(),
  phone: z.string(),
  lines: z.array(purchase.extend({ cancelledAt: z.iso.datetime().optional() })),
  shipments: z.array(shipment),
  payments: z.array(
    z.object({
      _id: z.string(),
      amount: z.number(),
      status: z.enum(["open", "succeeded", "cancelled", "refund_due", "refunded"]),
      at: z.iso.datetime(),
    }),
  ),
  refunds: z.array(
    z.object({
      _id: z.uuid(),
      purchaseId: z.uuid(),
      amount: z.number(),
      reason: z.string(),
      state: z.enum(["due", "done", "refused", "failed", "settled"]),
      at: z.iso.datetime(),
    }),
  ),
  documents: z.array(
    z.object({ kind: z.string(), number: z.string(), href: z.string(), issuedAt: z.iso.datetime() }),
  ),
  timeline: z.array(orderEvent),
});

export type OrderDetails = z.infer<typeof orderDetails>;

/** The id or the number of an order, or the id of one of its purchases. */
export const orderId = z.union([id, z.string().regex(/^\d{1,15}$/, refusals.badId)], {
  error: refusals.badId,
});

export const orderNumbers = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, orderRefusals.badOrderNumbers)
  .transform((list) => list.split(",").map(Number));

const refundForm = z.strictObject({
  amount: payable.optional().describe("In dollars. All that is left to refund if absent."),
  reason: prose(500, refusals.reasonRequired),
  returnToStock: z.boolean().default(false).describe("Whether the pieces are restocked."),
  seenStatus: z
    .enum(["paid", "shipped"])
    .optional()
    .describe("The status that the admin saw. Refused if it has changed."),
  seenRefunded: clientAmount
    .refine((dollars) => toCents(dollars) !== null, refusals.tooManyDecimals)
    .optional()
    .describe("In dollars: what the admin saw as refunded. Refused if it has changed."),
});

const manualRefundForm = z.strictObject({ how: prose(500, refusals.howRequired) });

const orderFilter = {
  q: search,
  status: z.enum(["unpaid", "paid", "partly_shipped", "shipped"]).optional(),
  from: day.optional().describe("The first day on which it was placed, in UTC."),
  to: day.optional().describe("The last day on which it was placed, in UTC."),
};

export const orderCalls = {
  placeOrder: call("POST /orders", {
    access: "user",
    idempotency: "transaction",
    manyLines: true,
    summary:
      "Places an order: all lines or none. Lines of the same tool are added up. Each line is a purchase, created unpaid; 409 names every line that cannot be ordered as it is.",
    body: orderForm,
    output: order,
  }),
  listOrders: call("GET /orders", {
    access: "user",
    summary:
      "Your orders, newest first, or all of them for an admin; with the first four lines of each. `q` is an order number, a PO number, or words of the buyer or a tool. Of own orders, also an invoice number, and a number with other spaces or dashes.",
    query: z.object({
      ...orderFilter,
      mine: z.stringbool().default(false).describe("For admins: only the caller's own orders."),
      limit: numeral(z.number().int().min(1).max(100)).default(20),
      cursor: note(300).optional(),
    }),
    output: z.object({
      orders: z.array(order),
      ...cursors,
    }),
  }),
  exportOrders: call("GET /orders/export.csv", {
    access: "user",
    acceptsSession: true,
    csv: "my-orders",
    summary:
      "The lines of your own orders that `GET /orders` finds with the same filters, as CSV, one row per line: " +
      `${Object.keys(ORDER_EXPORT_COLUMNS).join(", ")}. Times are ISO 8601 in UTC, amounts dollars; ` +
      "a cell that begins like a formula has a leading apostrophe. `bom=true` begins with a byte order mark, for Excel.",
    query: exportQuery(orderFilter),
    output: z.string(),
  }),
  findOrderDetails: call("GET /orders/{id}", {
    access: "buyerOrAdmin",
    summary:
      "One order with its lines, shipments, payments, refunds, documents and timeline, by its id or number, or by the id of one of its purchases.",
    params: z.object({ id: orderId }),
    output: orderDetails,
  }),
  cancelOrder: call("DELETE /orders/{id}", {
    access: "buyerOrAdmin",
    idempotency: "resumable",
    summary: "Cancels the unpaid lines of an order and returns their stock.",
    params: z.object({ id: orderId }),
    output: deleted,
  }),
  shipOrder: call("POST /orders/{id}/shipments", {
    access: "admin",
    idempotency: "transaction",
    manyLines: true,
    summary: "Ships pieces of lines of an order: all of these or none.",
    params: z.object({ id: orderId }),
    body: shipmentForm,
    output: shipment,
  }),
  correctTracking: call("PUT /shipments/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Replaces carrier, tracking number and tracking address of a shipment, at any time. The buyer gets an email if they differ, or if the one of the shipment is still to be sent, that one.",
    params: byId,
    body: z.strictObject(tracking),
    output: shipment,
  }),
  pickList: call("GET /pick-list", {
    access: "admin",
    summary:
      "The paid pieces that are still to be shipped, by tool in the order of item numbers, with the orders they are for: of all orders, or of up to 100 order numbers. At most 5,000 lines, the longest paid first.",
    query: z.strictObject({ orders: orderNumbers.optional() }),
    output: z.object({
      products: z.array(
        z.object({
          productId: z.uuid(),
          productName: z.string(),
          itemNumber: z.string().optional(),
          picture: z.string(),
          pieces: count,
          picks: z.array(
            z.object({
              orderId: z.uuid(),
              number: count,
              buyer: z.string(),
              pieces: count,
              disputed: purchase.shape.disputed,
            }),
          ),
        }),
      ),
      orders: count,
      pieces: count,
      isComplete: z.boolean(),
    }),
  }),
  findOrder: call("GET /order/{id}", {
    access: "buyerOrAdmin",
    summary: "One purchase with its events, oldest first.",
    params: byId,
    output: purchase.extend({ mine, timeline: z.array(orderEvent) }),
  }),
  undoShipment: call("DELETE /shipment/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Undoes a shipment, or the last one of a purchase, within ten seconds and before the email to the buyer is sent.",
    params: byId,
    output: modified,
  }),
  refundPurchase: call("POST /order/{id}/refund", {
    access: "admin",
    stepUp: true,
    idempotency: "resumable",
    summary: "Refunds a paid purchase fully or partly. The buyer sees the reason.",
    params: byId,
    body: refundForm,
    output: z.object({
      refundId: z.uuid(),
      amount: z.number(),
      state: z
        .enum(["done", "due"])
        .describe("`due`: recorded, and sent once the payment provider responds."),
    }),
  }),
  retryRefund: call("POST /refund/{id}/retry", {
    access: "admin",
    stepUp: true,
    idempotency: "resumable",
    summary: "Retries a failed refund at the payment provider.",
    params: byId,
    output: z.object({ state: z.enum(["done", "due"]) }),
  }),
  recordManualRefund: call("POST /refund/{id}/settle", {
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    summary: "Records how a failed refund was paid manually. The buyer is notified.",
    params: byId,
    body: manualRefundForm,
    output: z.object({ settled: z.literal(true) }),
  }),
};
