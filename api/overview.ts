/** Money is dollars, timestamps are ISO, days are YYYY-MM-DD in the requested time zone. */
import { z } from "zod";
import { product, purchase } from "./entities.ts";
import { count } from "./fields.ts";

/** the period of one column of the revenue chart; by default the one that fits the store's age */
export const period = z.enum(["days", "weeks", "months"]);

export const overview = z.object({
  at: z.iso.datetime(),
  alerts: z.object({
    /** rejected by the SMTP server, as in `listFailedEmails` */
    mails: count,
    /** discrepancies in the last reconciliation report */
    faults: count,
    disputed: z.array(purchase.pick({ _id: true, name: true, productName: true, purchaseQuantity: true })),
  }),
  monday: z.string(),
  paidThisWeek: z.number(),
  /** paid last week until the same weekday and time */
  paidLastWeekByNow: z.number(),
  toShip: count,
  late: count,
  unpaidOrders: count,
  outstanding: z.number(),
  /** of orders shipped in the last 90 days */
  medianHoursToShip: count.optional(),
  /** order lines; `paid` is still to be shipped, `refunded` was refunded before shipment */
  statuses: z.object({ unpaid: count, paid: count, shipped: count, refunded: count }),
  period,
  /** one per day, week or month since the first payment, at least 7 and at most 30 or 12, the current one last */
  revenue: z.array(
    z.object({ start: z.string(), revenue: z.number(), orders: count, yearBefore: z.number().optional() }),
  ),
  /** the five oldest orders to ship, each with the first line to ship and the number of these */
  waiting: z.array(
    purchase
      .pick({ _id: true, name: true, productName: true, purchaseQuantity: true, shippedPieces: true })
      .extend({ paidAt: z.iso.datetime(), orderNumber: count, lineCount: count }),
  ),
  /** pieces of each product paid in the last 30 days, most first, at most 20 products */
  sold: z.array(z.object({ productId: z.uuid(), name: z.string(), picture: z.string(), pieces: count })),
  /** products with less stock than four minimum orders, and the three with the least */
  lowStock: z.object({
    all: count,
    least: z.array(
      product.pick({ _id: true, name: true, picture: true, quantity: true, minimum_order: true }),
    ),
  }),
});

export type Overview = z.infer<typeof overview>;
