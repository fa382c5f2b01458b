/** Calls about one order, beside those of the specification. */
import { z } from "zod";
import { refusals } from "../shop/texts/refusals.ts";
import { call } from "./call.ts";
import { purchase } from "./entities.ts";
import { id, line, payable } from "./fields.ts";

/** What became of an order, oldest first. */
export const orderEvent = z.object({
  /**
   * `refunding`: written down, and made as soon as the card provider answers; `refundRefused`: by the card
   * provider, told to admins only, with its reason; `refundReturned`: the bank did not take it, `refundSettled`: it was
   * given back another way, which the reason tells; `returned`: the goods, to stock; `shipmentUndone`: before the
   * buyer was told of it;
   * `disputed`: the cardholder's bank has taken the money back until that is decided, `disputeWon` for the store
   */
  what: z.enum([
    "placed",
    "paid",
    "shipped",
    "shipmentUndone",
    "refunding",
    "refunded",
    "refundRefused",
    "refundReturned",
    "refundSettled",
    "returned",
    "disputed",
    "disputeWon",
    "disputeLost",
  ]),
  at: z.iso.datetime(),
  /** dollars, of a refund or a dispute */
  amount: z.number().optional(),
  /** of a refund or a dispute */
  reason: z.string().optional(),
});

export type OrderEvent = z.infer<typeof orderEvent>;

/** POST /order/{id}/refund: without an amount, all that is left of what was paid. */
const refundForm = z.object({
  amount: payable.optional(),
  reason: line(500, refusals.reasonRequired),
  returnToStock: z.boolean().default(false),
  /** the status that the admin saw; refused where the order has another one now */
  seenStatus: z.enum(["paid", "shipped"]).optional(),
});

/** POST /refund/{id}/settle */
const manualRefundForm = z.object({ how: line(500, refusals.howRequired) });

export const orderCalls = {
  findOrder: call({
    method: "GET",
    path: "/order/{id}",
    access: "buyerOrAdmin",
    summary: "One purchase with its events, oldest first.",
    params: z.object({ id }),
    answer: purchase.extend({ timeline: z.array(orderEvent) }),
  }),
  undoShipment: call({
    method: "DELETE",
    path: "/shipment/{id}",
    access: "admin",
    idempotency: "transaction",
    summary: "Undoes a shipment within ten seconds and before the email to the buyer is sent.",
    params: z.object({ id }),
    answer: z.object({ modifiedCount: z.number().int() }),
  }),
  refundPurchase: call({
    method: "POST",
    path: "/order/{id}/refund",
    access: "admin",
    stepUp: true,
    idempotency: "resumable",
    summary: "Refunds a paid purchase fully or partly. The buyer sees the reason.",
    params: z.object({ id }),
    body: refundForm,
    answer: z.object({
      refundId: z.uuid(),
      amount: z.number(),
      /** `due`: written down, and made as soon as the card provider answers */
      state: z.enum(["done", "due"]),
    }),
  }),
  retryRefund: call({
    method: "POST",
    path: "/refund/{id}/retry",
    access: "admin",
    stepUp: true,
    idempotency: "resumable",
    summary: "Retries a failed refund at the payment provider.",
    params: z.object({ id }),
    answer: z.object({ state: z.enum(["done", "due"]) }),
  }),
  recordManualRefund: call({
    method: "POST",
    path: "/refund/{id}/settle",
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    summary: "Records how a failed refund was paid manually. The buyer is notified.",
    params: z.object({ id }),
    body: manualRefundForm,
    answer: z.object({ settled: z.literal(true) }),
  }),
};
