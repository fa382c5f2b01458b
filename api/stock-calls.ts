import { z } from "zod";
import { MAX_PIECES } from "../shop/cart/limits.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { timeZone } from "./admin-calls.ts";
import { call } from "./call.ts";
import { byId, count, cursors, note, numeral, page, pieces, search, trimmed } from "./fields.ts";

const MAX_REASON_LENGTH = 200;

/** Only a correction needs a reason. */
const stockChange = z
  .object({
    kind: z.enum(["receive", "count", "correct"], { error: refusals.stockKind }),
    pieces: z.int({ error: refusals.wholeNumber }),
    reason: note(MAX_REASON_LENGTH)
      .transform(trimmed)
      .optional()
      .describe("The delivery's reference, or the reason of the correction."),
    seenMovement: z
      .string()
      .regex(/^\d{1,18}$/, refusals.badId)
      .optional()
      .describe(
        "The newest movement that the admin saw, or 0. Refused if an admin has changed the stock since, a `count` " +
          "also if an order has.",
      ),
  })
  .superRefine(({ kind, pieces: moved, reason }, { addIssue }) => {
    const [least, most] = {
      receive: [1, MAX_PIECES],
      count: [0, MAX_PIECES],
      correct: [-MAX_PIECES, MAX_PIECES],
    }[kind] as [number, number];
    const wrong = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
    if (moved < least) wrong("pieces", refusals.atLeast(least));
    if (moved > most) wrong("pieces", refusals.atMost(most));
    if (kind === "correct" && moved === 0) wrong("pieces", refusals.noCorrection);
    if (kind === "correct" && !reason) wrong("reason", refusals.required);
  });

const movement = z.object({
  _id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(["received", "counted", "corrected", "sold", "cancelled", "returned"]),
  pieces: count.describe("Negative if pieces left the stock."),
  quantity: count,
  reason: z.string().optional(),
  by: z.string().optional(),
  orderNumber: count.optional(),
});

const stockLevel = z.object({
  _id: z.uuid(),
  name: z.string(),
  itemNumber: z.string().optional(),
  picture: z.string(),
  quantity: count,
  reorderPoint: count,
  promised: count.describe("Pieces of unpaid orders, which are no longer part of the `quantity`."),
});

export type StockMovement = z.infer<typeof movement>;
export type StockLevel = z.infer<typeof stockLevel>;
export type StockLedger = z.infer<typeof ledger>;

const ledger = stockLevel.extend({
  archived: z.literal(true).optional(),
  movements: z.array(movement),
  newestMovement: z.string().describe("The `_id` of the newest movement, also on later pages, or 0."),
  days: z
    .array(z.object({ day: z.iso.date(), quantity: count }))
    .describe("The stock at the end of each of the last 90 days on which it changed, oldest first."),
  next: z.string().optional(),
});

export const stockCalls = {
  listStock: call("GET /admin/stock", {
    access: "admin",
    summary:
      "Stock and reorder point of the tools on sale: search, paginate. Sorted by how far the stock is below the " +
      "reorder point, then newest first; `low=1` returns only those below it.",
    query: z.strictObject({
      q: search,
      low: z.literal("1").optional(),
      ...page,
    }),
    output: z.object({
      products: z.array(stockLevel),
      counts: z.object({ all: count, low: count }),
      ...cursors,
    }),
  }),
  findStock: call("GET /admin/products/{id}/stock", {
    access: "admin",
    summary:
      "The stock ledger of a tool, also of an archived one, newest movement first, with the stock after each; paginated.",
    params: byId,
    query: z.object({
      limit: numeral(z.number().int().min(1).max(100)).default(25),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, refusals.badCursor)
        .optional(),
      zone: timeZone.describe("Of the `days`."),
    }),
    output: ledger,
  }),
  changeStock: call("POST /admin/products/{id}/stock", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Changes the stock of a tool by one movement in the ledger: `receive` adds the pieces of a delivery, `count` " +
      "sets what was counted, `correct` adds or removes pieces and needs a reason.",
    params: byId,
    body: stockChange,
    output: z.object({ quantity: count }),
  }),
  setReorderPoint: call("PUT /admin/products/{id}/reorder-point", {
    access: "admin",
    idempotency: "transaction",
    summary: "Sets the stock below which a tool is to be reordered; 0 for never.",
    params: byId,
    body: z.strictObject({ reorderPoint: pieces(0, refusals.required) }),
    output: z.object({ reorderPoint: count }),
  }),
};
