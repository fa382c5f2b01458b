/**
 * The cart as this browser keeps it, one for each account and one for signed-out visitors. It is changed here at once
 * and saved to the account later (cart-sync.ts). All tabs share it through localStorage.
 */
import { useSyncExternalStore } from "react";
import type { CartLine } from "../../api/cart-calls.ts";
import { onSessionChange, readUser } from "./session.ts";

export type { CartLine };

export interface StoredCart {
  lines: readonly CartLine[];
  /** the account's cart as last seen; null before the first answer, and always while signed out */
  saved: { version: number; lines: readonly CartLine[] } | null;
  /** what signing in made larger, until it is dismissed */
  raised: readonly RaisedLine[];
}

export interface RaisedLine {
  productId: string;
  from: number;
  to: number;
}

/** `offline`: kept on this device only, and sent when the connection is back */
export type CartState = "saved" | "saving" | "offline";

const PREFIX = "stator.cart:";
const EMPTY: StoredCart = { lines: [], saved: null, raised: [] };
const remembered = new Map<string, { text: string | null; cart: StoredCart }>();
const listeners = new Set<() => void>();
let state: CartState = "saved";
let stop: (() => void) | null = null;

/** The cart of this account, or with "" of signed-out visitors. The same object until it changes. */
export function readCart(email = readUser()?.email ?? ""): StoredCart {
  const text = localStorage.getItem(PREFIX + email);
  const known = remembered.get(email);
  if (known && known.text === text) return known.cart;
  const cart = parseCart(text);
  remembered.set(email, { text, cart });
  return cart;
}

/** Keeps the cart of this account on the device; an empty one leaves nothing behind. */
export function storeCart(cart: StoredCart, email = readUser()?.email ?? ""): void {
  if (cart.lines.length === 0 && !cart.saved) localStorage.removeItem(PREFIX + email);
  else localStorage.setItem(PREFIX + email, JSON.stringify(cart));
  announce();
}

/** Changes the lines at once, and saves them to the account after a pause. */
export function changeCart(change: (lines: readonly CartLine[]) => readonly CartLine[]): void {
  const cart = readCart();
  const lines = change(cart.lines);
  if (lines === cart.lines) return;
  storeCart({ ...cart, lines });
  void startSync(true);
}

/** Adds pieces to the line of the product, or a line. */
export function addToCart(productId: string, quantity: number, price: number): void {
  changeCart((lines) => {
    const line = lines.find((one) => one.productId === productId);
    if (!line) return [...lines, { productId, quantity, price }];
    return lines.map((one) => (one === line ? { ...one, quantity: one.quantity + quantity, price } : one));
  });
}

/** The notice about lines that grew at sign-in was read. */
export function dismissRaised(): void {
  storeCart({ ...readCart(), raised: [] });
}

/** The lines of the cart and their number; empty on the server. */
export function useCart(): {
  lines: readonly CartLine[];
  count: number;
  raised: readonly RaisedLine[];
} {
  const { lines, raised } = useSyncExternalStore(subscribe, readCartHere, readEmptyCart);
  return { lines, count: lines.length, raised };
}

/** Whether the account has the cart as it is shown. Signed out, "saved" means on this device. */
export function cartState(): CartState {
  return state;
}

export function useCartState(): CartState {
  return useSyncExternalStore(subscribe, cartState, () => "saved");
}

export function setCartState(next: CartState): void {
  if (next === state) return;
  state = next;
  announce();
}

function readCartHere(): StoredCart {
  return readCart();
}

function readEmptyCart(): StoredCart {
  return EMPTY;
}

function parseCart(text: string | null): StoredCart {
  if (!text) return EMPTY;
  try {
    const cart = JSON.parse(text) as Partial<StoredCart> | null;
    return Array.isArray(cart?.lines) ? { ...EMPTY, ...cart, lines: cart.lines } : EMPTY;
  } catch {
    return EMPTY; // other content under our key counts as an empty cart
  }
}

function announce(): void {
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stop ??= connect();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
  };
}

/** Follows other tabs, the session and the connection. */
function connect(): () => void {
  const events = new AbortController();
  const onStorage = ({ key }: StorageEvent) => (key === null || key.startsWith(PREFIX)) && announce();
  const onReturn = () => document.visibilityState === "visible" && void startSync(false);
  const onSession = () => {
    announce();
    void startSync(false);
  };
  window.addEventListener("storage", onStorage, events);
  window.addEventListener("online", onReturn, events);
  document.addEventListener("visibilitychange", onReturn, events);
  const stopSession = onSessionChange(onSession);
  void startSync(false);
  return () => {
    events.abort();
    stopSession();
  };
}

/** Loads the synchronization only for buyers with an account. */
async function startSync(hasChanged: boolean): Promise<void> {
  const user = readUser();
  if (!user || user.role === "admin") return setCartState("saved");
  if (hasChanged) setCartState("saving");
  const sync = await import("./cart-sync.ts").catch(() => null);
  if (sync) sync.scheduleSync(hasChanged);
  else setCartState("offline"); // the next change or return to the tab tries again
}
