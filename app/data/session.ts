/** Who is signed in, as this browser remembers it: the specification's access token, and a hint for the header. */
import { useSyncExternalStore } from "react";
import { showCartCount } from "./cart-count.ts";

export interface SignedInUser {
  email: string;
  name: string;
  role?: "admin" | "user";
}

const TOKEN = "accessToken";
const USER = "stator.person";

let remembered: { text: string | null; user: SignedInUser | null } = { text: null, user: null };
const listeners = new Set<() => void>();
const EVENTS = ["storage", "pageshow"];

export function readToken(): string | null {
  return localStorage.getItem(TOKEN);
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN, token);
}

/** Null when signed out. The same object until it changes. */
export function readUser(): SignedInUser | null {
  const text = localStorage.getItem(USER);
  if (text !== remembered.text) remembered = { text, user: parseUser(text) };
  return remembered.user;
}

/** Stores the user that the server named, and drops the token of another user; updates the header, in other tabs too. */
export function storeUser(user: SignedInUser): void {
  const text = JSON.stringify(user);
  if (text === localStorage.getItem(USER)) return;
  if (readUser()?.email !== user.email) localStorage.removeItem(TOKEN);
  localStorage.setItem(USER, text);
  announce();
}

/** Removes the user and the token (specification, section 4). */
export function clearSession(): void {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(USER);
  announce();
}

/** Null on the server and while signed out. */
export function useSignedInUser(): SignedInUser | null {
  return useSyncExternalStore(onSessionChange, readUser, () => null);
}

function parseUser(text: string | null): SignedInUser | null {
  if (!text) return null;
  try {
    const user = JSON.parse(text) as Partial<SignedInUser> | null;
    return typeof user?.email === "string" ? { name: user.email, ...user, email: user.email } : null;
  } catch {
    return null; // invalid content counts as signed out
  }
}

function announce(): void {
  const user = readUser();
  const root = document.documentElement;
  if (user) {
    root.dataset.signedIn = user.role === "admin" ? "admin" : "user";
    root.style.setProperty("--user-name", JSON.stringify(user.name));
  } else {
    delete root.dataset.signedIn;
    root.style.removeProperty("--user-name");
  }
  showCartCount(user?.email);
  for (const listener of listeners) listener();
}

/** Calls `listener` when the user signs in or out, in any tab. Returns the unsubscribe function. */
export function onSessionChange(listener: () => void): () => void {
  // also a page that Back shows again as it was
  if (listeners.size === 0) for (const type of EVENTS) window.addEventListener(type, announce);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) for (const type of EVENTS) window.removeEventListener(type, announce);
  };
}
