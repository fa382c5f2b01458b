import type { orderCalls } from "../../../api/order-calls.ts";
import { cancelOrder } from "../../../shop/orders/cancel.ts";
import { findOrderDetails, listOrders } from "../../../shop/orders/find-orders.ts";
import { pickList } from "../../../shop/orders/pick-list.ts";
import { placeOrder } from "../../../shop/orders/place.ts";
import { findPurchaseWithTimeline } from "../../../shop/orders/queries.ts";
import { shipOrder, undoShipment } from "../../../shop/orders/ship.ts";
import { recordManualRefund, retryRefund } from "../../../shop/refunds/record-manual.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import type { HandlersOf } from "./handlers.ts";

export const orderHandlers: HandlersOf<typeof orderCalls> = {
  placeOrder: ({ store }, { user, body }) => placeOrder(store, user, body),
  listOrders: ({ store }, { user, query }) => listOrders(store, user, query),
  findOrderDetails: ({ store }, { user, params }) => findOrderDetails(store, params.id, user),
  cancelOrder: ({ store }, { user, params, requestId }) => cancelOrder(store, user, params.id, requestId),
  shipOrder: ({ store }, { params, body }) => shipOrder(store, params.id, body),
  pickList: ({ store }, { query }) => pickList(store, query.orders),
  findOrder: ({ store }, { user, params }) => findPurchaseWithTimeline(store, params.id, user),
  undoShipment: ({ store }, { params }) => undoShipment(store, params.id),
  refundPurchase: ({ store }, { user, params, body, requestId }) =>
    refundPurchase(store, user, params.id, body, requestId),
  retryRefund: ({ store }, { params }) => retryRefund(store, params.id),
  recordManualRefund: async ({ store }, { params, body }) =>
    (await recordManualRefund(store, params.id, body.how)) ?? { settled: true },
};
