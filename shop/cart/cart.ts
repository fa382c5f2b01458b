import type { Cart, CartLine } from "../../api/cart-calls.ts";
import type { Output, Request } from "../../api/contract.ts";
import { fromCents, toCents } from "../money.ts";
import { type Refusal, type Result, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";
import { MAX_LINES } from "./limits.ts";

interface CartRow {
  product_id: string;
  quantity: number;
  price_cents: number | null;
}

export async function findCart({ pool }: Store, { id }: User): Promise<Cart> {
  const { rows } = await pool.query<{ version: number; lines: CartRow[] }>(
    `SELECT version, (
       SELECT coalesce(json_agg(json_build_object('product_id', product_id, 'quantity', quantity,
         'price_cents', price_cents) ORDER BY position), '[]')
       FROM shop.cart_line line WHERE line.user_id = cart.user_id) AS lines
     FROM shop.cart WHERE user_id = $1`,
    [id],
  );
  const { version = 0, lines = [] } = rows[0] ?? {};
  return { version, lines: lines.map(toLine) };
}

/** Replaces the lines. Refuses an outdated version, returning the current cart, and unknown products. */
export function saveCart(
  store: Store,
  user: User,
  { version, lines }: Request<"saveCart">["body"],
): Promise<Output<"saveCart"> | Refusal> {
  return inTransaction(store, async (tx) => {
    const current = await lockCart(tx, user);
    if (current === undefined) return refuse("missing", refusals.userNotFound);
    if (current !== version) {
      const present = await findCart(tx, user);
      return refuse("conflict", orderRefusals.cartChanged, { present: { ...present } });
    }
    return (await replaceLines(tx, user, lines)) ?? { version: version + 1 };
  });
}

/** Merges lines; for the same product the larger quantity wins. Refuses more lines than a cart may have. */
export function mergeCart(store: Store, user: User, added: CartLine[]): Result<"mergeCart"> {
  return inTransaction(store, async (tx) => {
    const version = await lockCart(tx, user);
    if (version === undefined) return refuse("missing", refusals.userNotFound);
    const present = (await findCart(tx, user)).lines;
    const { lines, raised } = mergeLines(present, added);
    if (lines.length > MAX_LINES) return refuseField("lines", orderRefusals.cartFull(MAX_LINES));
    return (await replaceLines(tx, user, lines)) ?? { version: version + 1, lines, raised };
  });
}

export function mergeLines(present: readonly CartLine[], added: readonly CartLine[]) {
  const merged = new Map(present.map((line) => [line.productId, line]));
  const raised: Output<"mergeCart">["raised"] = [];
  for (const line of added) {
    const before = merged.get(line.productId);
    if (before && before.quantity >= line.quantity) continue;
    merged.set(line.productId, line);
    if (before) raised.push({ productId: line.productId, from: before.quantity, to: line.quantity });
  }
  return { lines: [...merged.values()], raised };
}

/** Returns the version; undefined if the account was deleted. Waits for a concurrent deletion, or makes it wait. */
async function lockCart({ pool }: Store, { id }: User): Promise<number | undefined> {
  await pool.query(
    `INSERT INTO shop.cart (user_id) SELECT id FROM shop.user WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE
     ON CONFLICT (user_id) DO NOTHING`,
    [id],
  );
  const { rows } = await pool.query<{ version: number }>(
    "SELECT version FROM shop.cart WHERE user_id = $1 FOR UPDATE",
    [id],
  );
  return rows[0]?.version;
}

export async function findUnknownProduct(
  { pool }: Store,
  lines: { productId: string }[],
): Promise<Refusal | null> {
  const { rows } = await pool.query<{ index: number }>(
    `SELECT (place - 1)::int AS index FROM unnest($1::uuid[]) WITH ORDINALITY AS line (product, place)
     WHERE NOT EXISTS (SELECT FROM shop.product WHERE product.id = product) ORDER BY place LIMIT 1`,
    [lines.map(({ productId }) => productId)],
  );
  return rows[0] ? refuseField(`lines.${rows[0].index}.productId`, refusals.productNotFound) : null;
}

async function replaceLines(store: Store, { id }: User, lines: CartLine[]): Promise<Refusal | null> {
  const unknown = await findUnknownProduct(store, lines);
  if (unknown) return unknown;
  const { pool } = store;
  await pool.query(
    `MERGE INTO shop.cart_line line
     USING (
       SELECT product, place, pieces, cents
       FROM unnest($2::uuid[], $3::int[], $4::bigint[]) WITH ORDINALITY AS given (product, pieces, cents, place)
     ) AS given ON line.user_id = $1 AND line.product_id = given.product
     WHEN NOT MATCHED BY SOURCE AND line.user_id = $1 THEN DELETE
     WHEN MATCHED AND (position, quantity, price_cents) IS DISTINCT FROM (place, pieces, cents)
       THEN UPDATE SET position = place, quantity = pieces, price_cents = cents
     WHEN NOT MATCHED THEN INSERT (user_id, product_id, position, quantity, price_cents)
       VALUES ($1, product, place, pieces, cents)`,
    [
      id,
      lines.map(({ productId }) => productId),
      lines.map(({ quantity }) => quantity),
      lines.map(({ price }) => (price === undefined ? null : toCents(price))),
    ],
  );
  await pool.query("UPDATE shop.cart SET version = version + 1, changed_at = now() WHERE user_id = $1", [id]);
  return null;
}

function toLine({ product_id: productId, quantity, price_cents: cents }: CartRow): CartLine {
  return { productId, quantity, ...(cents !== null && { price: fromCents(cents) }) };
}
