/**
 * The statement that places purchases (migration 0012). It happens whole or not at all, with the idempotency key it
 * was asked under, and is on the disk before anybody is answered. Buyers who order in the same moment are written
 * together, in one transaction.
 */
import type { Selectable } from "kysely";
import pg from "pg";
import { isLockTimeout } from "../../database/pg-errors.ts";
import type { PurchaseTable } from "../../database/schema.ts";
import { createBatcher } from "../batch.ts";
import { LARGEST_TOTAL, SMALLEST_TOTAL } from "./rules.ts";

/** One order, as shop.place_purchases takes it. */
export interface PurchaseInsert {
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
  /** the id of the request under an idempotency key, with the key and the digest of its input */
  request?: string | undefined;
  key?: string | undefined;
  digest?: string | undefined;
}

export type WrittenRow = Selectable<PurchaseTable>;
type Row = WrittenRow & { number: number; busy: boolean; known: boolean };

/** Nothing was placed, since the order's idempotency key has been taken before. */
export const keyInUse = Symbol("keyTaken");

/** The purchase; null when the product is not as it was seen. */
export type Written = WrittenRow | null | typeof keyInUse;

/** $1 the orders as JSON, $2 whether to wait for a product that is held. */
export const PLACE = `
SELECT number, busy, known, (purchase).*
FROM shop.place_purchases($1::jsonb, $2, ${SMALLEST_TOTAL}, ${LARGEST_TOTAL})`;

/** While one transaction waits for the disk, the next one is written. */
const AT_ONCE = 2;
const MOST = 32;

type Write = (wanted: PurchaseInsert) => Promise<Written>;
const batchers = new WeakMap<pg.Pool, Write>();

/** Writes one purchase, in a transaction with others of the same moment. */
export function insertPurchase(pool: pg.Pool, wanted: PurchaseInsert): Promise<Written> {
  let write = batchers.get(pool);
  if (!write) {
    const work = (all: PurchaseInsert[]) => insertBatch(pool, all);
    write = createBatcher({ work, rounds: AT_ONCE, most: MOST, alike: ({ product }) => product });
    batchers.set(pool, write);
  }
  return write(wanted);
}

async function insertBatch(pool: pg.Pool, all: PurchaseInsert[]): Promise<(Written | Promise<Written>)[]> {
  const alone = (one: PurchaseInsert) => insertAlone(pool, one);
  if (all.length === 1) return Promise.all(all.map(alone));
  try {
    const rows = await ask(pool, all, false);
    const found = new Map(rows.map((row) => [row.number, row]));
    return all.map((one, number) => {
      const row = found.get(number);
      return row?.busy ? alone(one) : outcomeOf(row);
    });
  } catch (error) {
    if (!isCausedByOneOrder(error)) throw error;
    // nothing of it was written; whose fault it was shows when each is tried by itself
    return all.map(alone);
  }
}

async function insertAlone(pool: pg.Pool, one: PurchaseInsert): Promise<Written> {
  try {
    const [row] = await ask(pool, [one], true);
    return outcomeOf(row);
  } catch (error) {
    // a call under the same key has it and has not ended
    if (isLockTimeout(error)) return keyInUse;
    throw error;
  }
}

function outcomeOf(row: Row | undefined): Written {
  return row?.known ? keyInUse : (row ?? null);
}

async function ask(pool: pg.Pool, all: PurchaseInsert[], patient: boolean) {
  const orders = JSON.stringify(all.map((one, number) => ({ number, ...one })));
  const { rows } = await pool.query<Row>({
    name: "place-purchases",
    text: PLACE,
    values: [orders, patient],
  });
  return rows;
}

/** A constraint, a value, a deadlock, a key in use: the server has undone it all. After a lost connection nobody knows. */
function isCausedByOneOrder(error: unknown): boolean {
  if (isLockTimeout(error)) return true;
  return error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? "");
}
