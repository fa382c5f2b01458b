/** Calls about one order, beside those of the specification. */
import { z } from "zod";
import { call } from "./call.ts";
import { purchase } from "./entities.ts";
import { id } from "./fields.ts";

/** What became of an order, oldest first. */
export const orderEvent = z.object({
  what: z.enum(["placed", "paid", "shipped", "refunded"]),
  at: z.iso.datetime(),
});

export type OrderEvent = z.infer<typeof orderEvent>;

export const orderCalls = {
  findOrder: call({
    method: "GET",
    path: "/order/{id}",
    access: "buyerOrAdmin",
    summary: "One purchase with what became of it, oldest first.",
    params: z.object({ id }),
    answer: purchase.extend({ timeline: z.array(orderEvent) }),
  }),
};
