/**
 * The cart: what pages show and change. It is changed on this device at once (cart-storage.ts) and saved to the account
 * later (cart-sync.ts).
 */
import { useSyncExternalStore } from "react";
import type { CartLine } from "../../api/cart-calls.ts";
import {
  announceCart,
  CART_PREFIX,
  type CartState,
  cartState,
  EMPTY_CART,
  onCartChange,
  type RaisedLine,
  readCart,
  type StoredCart,
  setCartState,
  storeCart,
} from "./cart-storage.ts";
import { onSessionChange, readUser } from "./session.ts";

export type { CartLine, CartState, RaisedLine };
export { cartState };

let subscribers = 0;
let stop: (() => void) | null = null;

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

export function useCartState(): CartState {
  return useSyncExternalStore(subscribe, cartState, () => "saved");
}

function readCartHere(): StoredCart {
  return readCart();
}

function readEmptyCart(): StoredCart {
  return EMPTY_CART;
}

function subscribe(listener: () => void): () => void {
  const stopListening = onCartChange(listener);
  subscribers += 1;
  stop ??= connect();
  return () => {
    stopListening();
    subscribers -= 1;
    if (subscribers > 0) return;
    stop?.();
    stop = null;
  };
}

/** Follows other tabs, the session and the connection. */
function connect(): () => void {
  const events = new AbortController();
  const onStorage = ({ key }: StorageEvent) =>
    (key === null || key.startsWith(CART_PREFIX)) && announceCart();
  const onReturn = () => document.visibilityState === "visible" && void startSync(false);
  const onSession = () => {
    announceCart();
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
