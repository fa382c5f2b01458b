/**
 * The rows of the cart page. A row with a product and a valid quantity is a line of the cart; any other, such as a
 * mistyped item number, is unresolved and stays on this device until it is fixed. Pure.
 */
import type { CartLine, CheckedLine } from "../../../api/cart-calls.ts";
import { MAX_LINES, MAX_PIECES } from "../../../shop/cart/limits.ts";
import { readQuantity } from "../../../shop/cart/read-quantity.ts";
import type { Resolutions } from "./resolutions.ts";
import type { UndoStep } from "./undo-history.ts";

export interface CartRow {
  /** the product of a line; a generated key for an unresolved row */
  key: string;
  productId?: string | undefined;
  /** as typed or pasted: an item number or a name */
  text?: string | undefined;
  /** a number, or the text that is not one; "" is the minimum order */
  quantity: number | string;
  /** dollars each, as last shown */
  price?: number | undefined;
}

/** An unresolved row, and the product of the line before it (null at the top). */
export interface UnresolvedRow {
  row: CartRow;
  after: string | null;
}

let lastKey = 0;

export function newRow(row: Omit<CartRow, "key">): CartRow {
  lastKey += 1;
  return { key: `${Date.now().toString(36)}-${lastKey}`, ...row };
}

/** Lines and unresolved rows in the order of the page. */
export function joinRows(lines: readonly CartLine[], unresolved: readonly UnresolvedRow[]): CartRow[] {
  const following = Map.groupBy(unresolved, ({ after }) => after);
  const rows: CartRow[] = [];
  const keys = new Set(lines.map(({ productId }) => productId));
  const appendFollowing = (after: string | null) => {
    for (const { row } of following.get(after) ?? []) {
      let { key } = row;
      // a line whose quantity became invalid keeps its key, and its product may be added again
      while (keys.has(key)) key += "~";
      keys.add(key);
      rows.push({ ...row, key });
    }
    following.delete(after);
  };
  appendFollowing(null);
  for (const line of lines) {
    rows.push(toRow(line));
    appendFollowing(line.productId);
  }
  // the line before these was removed elsewhere
  for (const after of following.keys()) appendFollowing(after);
  return rows;
}

export function toRow({ productId, quantity, price }: CartLine): CartRow {
  return { key: productId, productId, quantity, price };
}

/** The inverse. Several rows of one product become one line with all their pieces. */
export function splitRows(rows: readonly CartRow[]): { lines: CartLine[]; unresolved: UnresolvedRow[] } {
  const lines = new Map<string, CartLine>();
  const unresolved: UnresolvedRow[] = [];
  let after: string | null = null;
  for (const row of rows) {
    const { productId, quantity, price } = row;
    if (!productId || typeof quantity !== "number") {
      unresolved.push({ row, after });
      continue;
    }
    const line = lines.get(productId);
    if (line) lines.set(productId, { ...line, quantity: Math.min(MAX_PIECES, line.quantity + quantity) });
    else {
      lines.set(productId, { productId, quantity, ...(price !== undefined && { price }) });
      after = productId;
    }
  }
  return { lines: [...lines.values()], unresolved };
}

/** Reverts a change, except in rows that were changed again since, here or in another tab. */
export function revertStep(step: UndoStep<CartRow[]>, rows: CartRow[], resolutions: Resolutions): CartRow[] {
  const before = indexRows(step.before, resolutions);
  const after = indexRows(step.after, resolutions);
  const current = indexRows(rows, resolutions);
  const isUnchangedSince = (key: string) => current.get(key)?.quantity === after.get(key)?.quantity;
  const restored = [...before.values()].flatMap((row) => {
    const rowAfter = after.get(row.key);
    const isChanged = rowAfter?.quantity !== row.quantity || rowAfter.price !== row.price;
    return isChanged && isUnchangedSince(row.key) ? row : (current.get(row.key) ?? []);
  });
  return [
    ...restored,
    ...[...current.values()].filter(({ key }) => !before.has(key) && !isUnchangedSince(key)),
  ];
}

/** The rows by key; those that have matched a product since are keyed as its line. */
function indexRows(rows: readonly CartRow[], resolutions: Resolutions): ReadonlyMap<string, CartRow> {
  const { lines, unresolved } = splitRows(
    rows.map((row) => {
      const line = resolutions.get(row.key);
      return line ? { ...row, productId: line.productId, quantity: row.quantity || line.quantity } : row;
    }),
  );
  return new Map(joinRows(lines, unresolved).map((row) => [row.key, row]));
}

export function readPieces(typed: string): number | string {
  const quantity = readQuantity(typed);
  return quantity !== null && Number.isInteger(quantity) && quantity > 0 && quantity <= MAX_PIECES
    ? quantity
    : typed.trim();
}

/**
 * The row as POST /lines/check takes it. Longer texts would fail the whole request; truncated, they match no product
 * and are not a quantity.
 */
export function toCheckLine({ productId, text, quantity, price }: Omit<CartRow, "key">) {
  return {
    productId,
    price,
    text: text === undefined ? undefined : truncate(text, 300),
    quantity: typeof quantity === "string" ? truncate(quantity, 40) : quantity,
  };
}

function truncate(text: string, max: number): string {
  return (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed();
}

/** What a fix changes in a row. */
export interface RowFix {
  quantity?: number | undefined;
  productId?: string | undefined;
  price?: number | undefined;
}

/** Applies a fix; the price is updated with the quantity. */
export function fixRow(row: CartRow, fix: RowFix): CartRow {
  const productId = fix.productId ?? row.productId;
  return {
    key: row.key,
    ...(productId ? { productId } : { text: row.text }),
    quantity: fix.quantity ?? row.quantity,
    price: fix.price,
  };
}

export function appendRows(rows: readonly CartRow[], added: readonly CartRow[]): CartRow[] {
  return [...rows, ...added.slice(0, Math.max(0, MAX_LINES - rows.length))];
}

export function isOrderable(line: CheckedLine | undefined): line is CheckedLine {
  return line !== undefined && (line.code === undefined || line.code === "price_changed");
}
