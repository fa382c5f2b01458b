import { z } from "zod";
import { MAX_LINES } from "../shop/cart/limits.ts";
import { orderRefusals } from "../shop/texts/order-refusals.ts";
import { call } from "./call.ts";
import { cartLine, linesOf, onePerProduct } from "./cart-calls.ts";
import { byId, count, deleted, line } from "./fields.ts";

const savedListLine = cartLine.omit({ price: true });

export type SavedListLine = z.infer<typeof savedListLine>;

const lines = linesOf(savedListLine, 0, orderRefusals.listTooLong(MAX_LINES)).superRefine(onePerProduct);

const name = line(80, orderRefusals.listNameRequired);

export const savedList = z.object({
  _id: z.uuid(),
  name: z.string(),
  version: count.describe("Increases with every change. Send the version that a change is based on."),
  changedAt: z.iso.datetime(),
  lines: z.array(savedListLine),
});

export type SavedList = z.infer<typeof savedList>;

const savedListHeader = savedList.omit({ lines: true });

export type SavedListHeader = z.infer<typeof savedListHeader>;

const savedListSummary = savedListHeader.extend({
  lineCount: count,
  pieces: count.describe("Of the lines that can be ordered unchanged."),
  total: z.number().describe("In dollars at current prices, of the lines that can be ordered unchanged."),
  problems: z.object({
    noLongerSold: count,
    shortOfStock: count,
    wrongQuantity: count,
  }),
  pictures: z.array(z.string()).describe("Of the first lines, up to four."),
});

export type SavedListSummary = z.infer<typeof savedListSummary>;

export const MAX_LISTS = 100;

export const listCalls = {
  listSavedLists: call("GET /lists", {
    access: "user",
    summary: "Your saved lists, last changed first, with today's totals.",
    output: z.object({ lists: z.array(savedListSummary) }),
  }),
  findSavedList: call("GET /lists/{id}", {
    access: "user",
    summary: "One of your saved lists.",
    params: byId,
    output: savedList,
  }),
  addSavedList: call("POST /lists", {
    access: "user",
    idempotency: "transaction",
    manyLines: true,
    summary: "Saves a list. You can keep up to 100 lists of up to 5,000 lines.",
    body: z.object({ name, lines: lines.default([]) }),
    output: savedList,
  }),
  saveSavedList: call("PUT /lists/{id}", {
    access: "user",
    idempotency: "transaction",
    manyLines: true,
    summary:
      "Replaces the name and the lines of one of your saved lists; 409 with the current list where `version` is not the current one.",
    params: byId,
    body: z.object({ version: z.number().int().min(0), name, lines }),
    // without the lines, which would be stored with the idempotency key for a day
    output: savedListHeader,
  }),
  deleteSavedList: call("DELETE /lists/{id}", {
    access: "user",
    idempotency: "transaction",
    summary: "Deletes one of your saved lists.",
    params: byId,
    output: deleted,
  }),
};
