import type { cartCalls } from "../../../api/cart-calls.ts";
import { findCart, mergeCart, saveCart } from "../../../shop/cart/cart.ts";
import { checkLines } from "../../../shop/cart/check-lines.ts";
import type { HandlersOf } from "./handlers.ts";

export const cartHandlers: HandlersOf<typeof cartCalls> = {
  checkLines: ({ store }, { body }) => checkLines(store, body.lines),
  findCart: ({ store }, { person }) => findCart(store, person),
  saveCart: ({ store }, { person, body }) => saveCart(store, person, body),
  mergeCart: ({ store }, { person, body }) => mergeCart(store, person, body.lines),
};
