/** The carts in this browser's storage: one per account, and one for signed-out visitors. All tabs share them. */

import type { CartLine } from "../../api/cart-calls.ts";
import type { Output } from "../../api/contract.ts";
import { accountStorage } from "./account-storage.ts";
import { showCartCount, storeCartCount } from "./cart-count.ts";
import { createListeners } from "./listeners.ts";
import { applyChanges } from "./merge-carts.ts";
import { readUser } from "./session.ts";

export interface StoredCart {
  lines: readonly CartLine[];
  /** the account's cart as last seen; null before the first response, and while signed out */
  saved: { version: number; lines: readonly CartLine[] } | null;
  /** quantities raised by a merge at sign-in, until the notice is dismissed */
  raised: Output<"mergeCart">["raised"];
}

/** `offline`: only on this device, and saved when the connection is back */
export type CartState = "saved" | "saving" | "offline";

export const EMPTY_CART: StoredCart = { lines: [], saved: null, raised: [] };
const storage = accountStorage({
  prefix: "stator.cart:",
  parse: parseCart,
  print: printCart,
  merge: mergeStored,
});
const listeners = createListeners();
let state: CartState = "saved";
let unsavedSince: Date | undefined;

/** The same object until it changes. */
export function readCart(email?: string): StoredCart {
  return storage.read(email);
}

/** Stores the cart of this account; an empty one is removed. */
export function storeCart(cart: StoredCart, email = readUser()?.email ?? ""): void {
  storage.write(cart, email);
  storeCartCount(cart.lines.length, email);
  announceCart();
}

/** Whether the cart shown is saved. Signed out, "saved" means on this device. */
export function cartState(): CartState {
  return state;
}

/** Since when changes are only on this device. */
export function cartUnsavedSince(): Date | undefined {
  return unsavedSince;
}

export function setCartState(next: CartState): void {
  if (next === state) return;
  state = next;
  if (next === "saved") unsavedSince = undefined;
  if (next === "offline") unsavedSince ??= new Date();
  announceCart();
}

function parseCart(text: string | null): StoredCart {
  if (!text) return EMPTY_CART;
  try {
    const cart = JSON.parse(text) as Partial<StoredCart> | null;
    return Array.isArray(cart?.lines) ? { ...EMPTY_CART, ...cart, lines: cart.lines } : EMPTY_CART;
  } catch {
    return EMPTY_CART; // invalid content counts as an empty cart
  }
}

function printCart(cart: StoredCart): string | null {
  return cart.lines.length === 0 && !cart.saved ? null : JSON.stringify(cart);
}

/** The account's cart as last seen is the later one. */
function mergeStored(base: StoredCart, mine: StoredCart, theirs: StoredCart): StoredCart {
  const isNewer = (theirs.saved?.version ?? 0) > (mine.saved?.version ?? 0);
  return { ...(isNewer ? theirs : mine), lines: applyChanges(base.lines, mine.lines, theirs.lines) };
}

/** Calls `listener` when the cart or its state changes in this tab. Returns the unsubscribe function. */
export const onCartChange = listeners.subscribe;

export function announceCart(): void {
  showCartCount(readUser()?.email);
  listeners.notify();
}
