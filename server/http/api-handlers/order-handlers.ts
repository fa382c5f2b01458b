import type { orderCalls } from "../../../api/order-calls.ts";
import { findOrder } from "../../../shop/orders/queries.ts";
import { undoShipment } from "../../../shop/orders/ship.ts";
import { recordManualRefund, retryRefund } from "../../../shop/refunds/record-manual.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import type { HandlersOf } from "./handlers.ts";

export const orderHandlers: HandlersOf<typeof orderCalls> = {
  findOrder: ({ store }, { person, params }) => findOrder(store, params.id, person),
  undoShipment: ({ store }, { params }) => undoShipment(store, params.id),
  refundPurchase: ({ store }, { person, params, body, requestId }) =>
    refundPurchase(store, person, params.id, body, requestId),
  retryRefund: ({ store }, { params }) => retryRefund(store, params.id),
  recordManualRefund: async ({ store }, { params, body }) =>
    (await recordManualRefund(store, params.id, body.how)) ?? { settled: true },
};
