/**
 * The statement that places purchases (migration 0011). It happens whole or not at all, and is on the disk before
 * anybody is answered. Buyers who order in the same moment are written together, in one transaction.
 */
import type { Selectable } from "kysely";
import pg from "pg";
import type { PurchaseTable } from "../../database/schema.ts";
import { together } from "../together.ts";
import { LARGEST_TOTAL, SMALLEST_TOTAL } from "./rules.ts";

/** One order, as shop.place_purchases takes it. */
export interface Wanted {
  product: string;
  pieces: number;
  /** as the buyer saw it */
  price_cents: number;
  buyer: string;
  name: string;
  email: string;
  address: string;
  phone: string;
  /** who acts, for the history */
  actor: string;
}

export type WrittenRow = Selectable<PurchaseTable>;

/** $1 the orders as JSON, $2 whether to wait for a product that is held. */
export const PLACE = `
SELECT number, busy, (purchase).*
FROM shop.place_purchases($1::jsonb, $2, ${SMALLEST_TOTAL}, ${LARGEST_TOTAL})`;

/** While one transaction waits for the disk, the next one is written. */
const AT_ONCE = 2;
const MOST = 32;

type Write = (wanted: Wanted) => Promise<WrittenRow | null>;
const writers = new WeakMap<pg.Pool, Write>();

/** Writes one purchase; null when the product is not as it was seen. */
export function writePurchase(pool: pg.Pool, wanted: Wanted): Promise<WrittenRow | null> {
  let write = writers.get(pool);
  if (!write) {
    const work = (all: Wanted[]) => writeTogether(pool, all);
    write = together({ work, rounds: AT_ONCE, most: MOST, alike: ({ product }) => product });
    writers.set(pool, write);
  }
  return write(wanted);
}

type Written = WrittenRow | null | Promise<WrittenRow | null>;

async function writeTogether(pool: pg.Pool, all: Wanted[]): Promise<Written[]> {
  const alone = (one: Wanted) => writeAlone(pool, one);
  if (all.length === 1) return Promise.all(all.map(alone));
  try {
    const rows = await ask(pool, all, false);
    const found = new Map(rows.map((row) => [row.number, row]));
    return all.map((one, number) => {
      const row = found.get(number);
      return row?.busy ? alone(one) : (row ?? null);
    });
  } catch (error) {
    if (!isOneOrdersFault(error)) throw error;
    // nothing of it was written; whose fault it was shows when each is tried by itself
    return all.map(alone);
  }
}

async function writeAlone(pool: pg.Pool, one: Wanted): Promise<WrittenRow | null> {
  const [row] = await ask(pool, [one], true);
  return row ?? null;
}

async function ask(pool: pg.Pool, all: Wanted[], patient: boolean) {
  const orders = JSON.stringify(all.map((one, number) => ({ number, ...one })));
  const { rows } = await pool.query<WrittenRow & { number: number; busy: boolean }>({
    name: "place-purchases",
    text: PLACE,
    values: [orders, patient],
  });
  return rows;
}

/** A constraint, a value, a deadlock: the server has undone it all. After a lost connection nobody knows. */
function isOneOrdersFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? "");
}
