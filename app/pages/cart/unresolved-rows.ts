/** Stores the unresolved rows of each account on this device; all tabs share them. */
import { accountStorage } from "../../data/account-storage.ts";
import { announceCart } from "../../data/cart-storage.ts";
import { readUser } from "../../data/session.ts";
import type { UnresolvedRow } from "./cart-rows.ts";

export const NO_ROWS: readonly UnresolvedRow[] = [];
const storage = accountStorage({
  prefix: "stator.cart-rows:",
  parse,
  print: (rows) => (rows.length === 0 ? null : JSON.stringify(rows)),
  merge,
});

/** Returns the same array until it changes. */
export const readUnresolved = storage.read;

export function storeUnresolved(rows: readonly UnresolvedRow[], email?: string): void {
  storage.write(rows, email);
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

function parse(text: string | null): readonly UnresolvedRow[] {
  if (!text) return NO_ROWS;
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.filter((unresolved) => unresolved?.row?.key) : NO_ROWS;
  } catch {
    return NO_ROWS; // invalid content counts as none
  }
}

function merge(
  base: readonly UnresolvedRow[],
  mine: readonly UnresolvedRow[],
  theirs: readonly UnresolvedRow[],
): readonly UnresolvedRow[] {
  const keysOf = (rows: readonly UnresolvedRow[]) => new Set(rows.map(({ row }) => row.key));
  const [before, here, there] = [keysOf(base), keysOf(mine), keysOf(theirs)];
  const kept = mine.filter(({ row }) => !before.has(row.key) || there.has(row.key));
  return [...kept, ...theirs.filter(({ row }) => !before.has(row.key) && !here.has(row.key))];
}
