/** Stores the unresolved rows of each account on this device; all tabs share them. */
import { announceCart } from "../../data/cart-storage.ts";
import { readUser } from "../../data/session.ts";
import type { UnresolvedRow } from "./cart-rows.ts";

const PREFIX = "stator.cart-rows:";
const NONE: readonly UnresolvedRow[] = [];
let remembered: { key: string; text: string | null; rows: readonly UnresolvedRow[] } | null = null;

/** The same array until it changes. */
export function readUnresolved(email = readUser()?.email ?? ""): readonly UnresolvedRow[] {
  const key = PREFIX + email;
  const text = localStorage.getItem(key);
  if (remembered?.key !== key || remembered.text !== text) remembered = { key, text, rows: parse(text) };
  return remembered.rows;
}

export function storeUnresolved(rows: readonly UnresolvedRow[], email = readUser()?.email ?? ""): void {
  const key = PREFIX + email;
  const text = rows.length === 0 ? null : JSON.stringify(rows);
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  remembered = { key, text, rows: text === null ? NONE : rows };
  announceCart();
}

/** A visitor's rows go to the account at sign-in, as the lines do. */
export function adoptVisitorRows(): void {
  if (!readUser()) return;
  const rows = readUnresolved("");
  if (rows.length === 0) return;
  storeUnresolved([...readUnresolved(), ...rows]);
  storeUnresolved([], "");
}

/** Calls `listener` when another tab changes them. */
export function onUnresolvedChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === null || key.startsWith(PREFIX)) && listener();
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

function parse(text: string | null): readonly UnresolvedRow[] {
  if (!text) return NONE;
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.filter((one) => one?.row?.key) : NONE;
  } catch {
    return NONE; // invalid content counts as none
  }
}
