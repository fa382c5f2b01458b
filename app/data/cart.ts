/** The cart. It changes on this device at once (cart-storage.ts) and is saved to the account later (cart-sync.ts). */
import { useSyncExternalStore } from "react";
import type { CartLine } from "../../api/cart-calls.ts";
import { MAX_LINES, MAX_PIECES } from "../../shop/cart/limits.ts";
import { counted } from "../components/format.ts";
import { toast } from "../components/toast.ts";
import {
  announceCart,
  type CartState,
  cartState,
  EMPTY_CART,
  onCartChange,
  readCart,
  type StoredCart,
  setCartState,
  storeCart,
} from "./cart-storage.ts";
import { onSessionChange, readUser } from "./session.ts";

let subscribers = 0;
let stop: (() => void) | null = null;

/** Changes the lines at once, and saves them after a pause. */
export function changeCart(change: (lines: readonly CartLine[]) => readonly CartLine[]): void {
  const cart = readCart();
  const lines = change(cart.lines);
  if (lines === cart.lines) return;
  storeCart({ ...cart, lines });
  void startSync(true);
}

/**
 * Quantities of a product are added up. Returns the lines of these products, or null if the cart would be too large.
 */
export function addToCart(lines: readonly CartLine[]): CartLine[] | null {
  const added = new Map<string, CartLine>();
  let isFull = false;
  changeCart((present) => {
    const cart = new Map(present.map((line) => [line.productId, line]));
    for (const line of lines) {
      const quantity = (cart.get(line.productId)?.quantity ?? 0) + line.quantity;
      const raised = { ...line, quantity: Math.min(MAX_PIECES, quantity) };
      cart.set(line.productId, raised);
      added.set(line.productId, raised);
    }
    isFull = cart.size > MAX_LINES;
    return isFull ? present : [...cart.values()];
  });
  if (!isFull) return [...added.values()];
  toastFull("cart");
  return null;
}

export function toastFull(what: "cart" | "list"): void {
  toast.error(
    `Nothing was added: a ${what} has at most ${counted(MAX_LINES, "line")}. Remove some of them first.`,
  );
}

/** Loads changes of other devices, and sends what could not be sent before. */
export function refreshCart(): void {
  void startSync(false);
}

/** The notice about lines that grew at sign-in was dismissed. */
export function dismissRaised(): void {
  storeCart({ ...readCart(), raised: [] });
}

/** Empty on the server. */
export function useCart(): StoredCart {
  return useSyncExternalStore(
    subscribe,
    () => readCart(),
    () => EMPTY_CART,
  );
}

/** Until it is known, a cart without lines must not be called empty: those of the account may be missing. */
export type CartAvailability = "known" | "loading" | "unavailable";

export function useCartAvailability(): CartAvailability {
  return useSyncExternalStore(subscribe, availability, () => "known");
}

function availability(): CartAvailability {
  if (readCart().saved || !hasAccountCart()) return "known";
  return cartState() === "offline" ? "unavailable" : "loading";
}

function hasAccountCart(): boolean {
  const user = readUser();
  return user !== null && user.role !== "admin";
}

export function useCartState(): CartState {
  return useSyncExternalStore(subscribe, cartState, () => "saved");
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
  // also for the unresolved rows of the cart page
  const onStorage = ({ key }: StorageEvent) =>
    (key === null || key.startsWith("stator.cart")) && announceCart();
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

/** Loads the synchronization only for signed-in buyers. */
async function startSync(hasChanged: boolean): Promise<void> {
  if (!hasAccountCart()) return setCartState("saved");
  if (hasChanged) setCartState("saving");
  const sync = await import("./cart-sync.ts").catch(() => null);
  if (sync) sync.scheduleSync(hasChanged);
  else setCartState("offline"); // retried at the next change or return to the tab
}
