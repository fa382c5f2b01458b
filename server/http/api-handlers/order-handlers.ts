import {
  addAddress,
  deleteAddress,
  listAddresses,
  saveAddress,
} from "../../../shop/address-book/addresses.ts";
import { findCart, mergeCart, saveCart } from "../../../shop/cart/cart.ts";
import { checkLines } from "../../../shop/cart/check-lines.ts";
import { cancelOrder } from "../../../shop/orders/cancel.ts";
import { correctTracking } from "../../../shop/orders/correct-tracking.ts";
import { exportOrders } from "../../../shop/orders/export-orders.ts";
import { findOrderDetails, listOrders } from "../../../shop/orders/find-orders.ts";
import { pickList } from "../../../shop/orders/pick-list.ts";
import { placeOrder } from "../../../shop/orders/place.ts";
import { findPurchaseWithTimeline } from "../../../shop/orders/queries.ts";
import { shipOrder, undoShipment } from "../../../shop/orders/ship.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { recordManualRefund, retryRefund } from "../../../shop/refunds/resolve-failed.ts";
import {
  addSavedList,
  deleteSavedList,
  findSavedList,
  listSavedLists,
  saveSavedList,
} from "../../../shop/saved-lists/lists.ts";
import type { Handlers } from "./handlers.ts";

export const orderHandlers = {
  placeOrder: ({ store }, { user, body }) => placeOrder(store, user, body),
  listOrders: ({ store }, { user, query }) => listOrders(store, user, query),
  exportOrders: ({ store }, { user, query }) => exportOrders(store, user, query),
  findOrderDetails: ({ store }, { user, params }) => findOrderDetails(store, params.id, user),
  cancelOrder: ({ store }, { user, params, requestId }) => cancelOrder(store, user, params.id, requestId),
  shipOrder: ({ store }, { params, body }) => shipOrder(store, params.id, body),
  correctTracking: ({ store }, { params, body }) => correctTracking(store, params.id, body),
  pickList: ({ store }, { query }) => pickList(store, query.orders),
  findOrder: ({ store }, { user, params }) => findPurchaseWithTimeline(store, params.id, user),
  undoShipment: ({ store }, { params }) => undoShipment(store, params.id),
  refundPurchase: ({ store }, { user, params, body, requestId }) =>
    refundPurchase(store, user, params.id, body, requestId),
  retryRefund: ({ store }, { params }) => retryRefund(store, params.id),
  recordManualRefund: async ({ store }, { params, body }) =>
    (await recordManualRefund(store, params.id, body.how)) ?? { settled: true },
  checkLines: ({ store }, { body }) => checkLines(store, body.lines),
  findCart: ({ store }, { user }) => findCart(store, user),
  saveCart: ({ store }, { user, body }) => saveCart(store, user, body),
  mergeCart: ({ store }, { user, body }) => mergeCart(store, user, body.lines),
  listSavedLists: ({ store }, { user }) => listSavedLists(store, user),
  findSavedList: ({ store }, { user, params }) => findSavedList(store, user, params.id),
  addSavedList: ({ store }, { user, body }) => addSavedList(store, user, body),
  saveSavedList: ({ store }, { user, params, body }) => saveSavedList(store, user, params.id, body),
  deleteSavedList: ({ store }, { user, params }) => deleteSavedList(store, user, params.id),
  listAddresses: ({ store }, { user }) => listAddresses(store, user),
  addAddress: ({ store }, { user, body }) => addAddress(store, user, body),
  saveAddress: ({ store }, { user, params, body }) => saveAddress(store, user, params.id, body),
  deleteAddress: ({ store }, { user, params }) => deleteAddress(store, user, params.id),
} satisfies Partial<Handlers>;
