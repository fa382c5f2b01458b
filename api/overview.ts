/** What the overview answers. Money is dollars, instants are ISO, days are YYYY-MM-DD in the time zone that was asked for. */
import { z } from "zod";
import { product, purchase } from "./entities.ts";

const amount = z.number().int();

/** what one column of the revenue covers; by default the one that fits the store's age */
export const period = z.enum(["days", "weeks", "months"]);

export const overview = z.object({
  at: z.iso.datetime(),
  /** what waits for a person to do something about it */
  alerts: z.object({
    /** that the mail server has not taken, as in `listFailedEmails` */
    mails: amount,
    /** faults in the last report on the books */
    faults: amount,
    /** whose payment a bank has taken back until it is decided: the five that wait longest */
    disputed: z.array(purchase.pick({ _id: true, name: true, productName: true, purchaseQuantity: true })),
  }),
  /** the first day of this week */
  monday: z.string(),
  paidThisWeek: z.number(),
  /** what was paid last week until the same hour of the same day */
  paidLastWeekByNow: z.number(),
  toShip: amount,
  /** of those, paid 72 hours ago or longer */
  late: amount,
  /** the total of all unpaid orders */
  outstanding: z.number(),
  /** of what was shipped in the last 90 days */
  medianHoursToShip: amount.optional(),
  /** `paid` is what is still to be shipped, `refunded` what was given back before it was */
  statuses: z.object({ unpaid: amount, paid: amount, shipped: amount, refunded: amount }),
  /** by what `revenue` is counted */
  period,
  /** one for each day, week or month since the first payment, at least 7 and at most 30 or 12, the present one last */
  revenue: z.array(
    z.object({ start: z.string(), revenue: z.number(), orders: amount, yearBefore: z.number().optional() }),
  ),
  /** the five orders that wait longest to be shipped, each with the first line that waits and the number of these */
  waiting: z.array(
    purchase
      .pick({ _id: true, name: true, productName: true, purchaseQuantity: true })
      .extend({ paidAt: z.iso.datetime(), orderNumber: amount, lineCount: amount }),
  ),
  /** pieces of each tool paid in the last 30 days, most first, at most 20 tools */
  sold: z.array(z.object({ productId: z.uuid(), name: z.string(), picture: z.string(), pieces: amount })),
  /** tools with less stock than four minimum orders, and the three that have least */
  lowStock: z.object({
    all: amount,
    least: z.array(
      product.pick({ _id: true, name: true, picture: true, quantity: true, minimum_order: true }),
    ),
  }),
});

export type Overview = z.infer<typeof overview>;
