/** Money is dollars, timestamps are ISO, days are YYYY-MM-DD in the requested time zone. */
import { z } from "zod";
import { product, purchase } from "./entities.ts";
import { count } from "./fields.ts";

/** the period of one column of the revenue chart; by default the one that fits the store's age */
export const period = z.enum(["days", "weeks", "months"]);

export const overview = z.object({
  at: z.iso.datetime(),
  alerts: z.object({
    mails: count.describe("Emails rejected by the SMTP server, as in `listFailedEmails`."),
    faults: count.describe("Discrepancies in the last reconciliation report."),
    disputed: z
      .array(
        purchase
          .pick({ _id: true, name: true, productName: true, purchaseQuantity: true })
          .extend({ orderNumber: count, lineCount: count }),
      )
      .describe(
        "The five orders disputed longest, each with its first disputed line and the number of such lines.",
      ),
  }),
  monday: z.string(),
  paidThisWeek: z.number(),
  paidLastWeekByNow: z
    .number()
    .describe("In dollars: what was paid last week until the same weekday and time."),
  toShip: count,
  late: count,
  unpaidOrders: count,
  outstanding: z.number(),
  medianHoursToShip: count.optional().describe("Of orders shipped in the last 90 days."),
  statuses: z
    .object({ unpaid: count, paid: count, shipped: count, refunded: count })
    .describe("Numbers of order lines. `paid`: still to be shipped; `refunded`: refunded before shipment."),
  period,
  revenue: z
    .array(
      z.object({ start: z.string(), revenue: z.number(), orders: count, yearBefore: z.number().optional() }),
    )
    .describe(
      "One per day, week or month since the first payment, at least 7 and at most 30 or 12, the current one last.",
    ),
  waiting: z
    .array(
      purchase
        .pick({ _id: true, name: true, productName: true, purchaseQuantity: true, shippedPieces: true })
        .extend({ paidAt: z.iso.datetime(), orderNumber: count, lineCount: count }),
    )
    .describe(
      "The five oldest orders to ship, each with its first line to ship and the number of such lines.",
    ),
  sold: z
    .array(z.object({ productId: z.uuid(), name: z.string(), picture: z.string(), pieces: count }))
    .describe(
      "Pieces of each product paid in the last 30 days less those refunded, most first, at most 20 products.",
    ),
  lowStock: z
    .object({
      all: count,
      least: z.array(
        product.pick({ _id: true, name: true, picture: true, quantity: true, minimum_order: true }),
      ),
    })
    .describe("Products with less stock than four minimum orders, and the three with the least."),
});

export type Overview = z.infer<typeof overview>;
