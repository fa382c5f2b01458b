import type { cartCalls } from "../../../api/cart-calls.ts";
import { findCart, mergeCart, saveCart } from "../../../shop/cart/cart.ts";
import { checkLines } from "../../../shop/cart/check-lines.ts";
import type { HandlersOf } from "./handlers.ts";

export const cartHandlers: HandlersOf<typeof cartCalls> = {
  checkLines: ({ store }, { body }) => checkLines(store, body.lines),
  findCart: ({ store }, { user }) => findCart(store, user),
  saveCart: ({ store }, { user, body }) => saveCart(store, user, body),
  mergeCart: ({ store }, { user, body }) => mergeCart(store, user, body.lines),
};
