/**
 * Idempotency-Key: a writing call that is made again under the same key gives the same answer, for 24 hours
 * (docs/decisions: idempotency). The key and the effect never part, whenever the store is killed.
 */
import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import type { CallName } from "../../api/contract.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../../shop/refusal.ts";
import { refusals } from "../../shop/refusals.ts";
import type { Store } from "../../shop/store.ts";
import { boundTo } from "../../shop/transaction.ts";

/** One call under a key. */
export interface KeyedCall {
  name: CallName;
  personId: string;
  key: string;
  input: unknown;
}

/** Does the call's operation with a store; `request` is the same for every try under the key. */
export type Operate = (store: Store, request: string) => Promise<unknown>;

/** The first call under this key has not ended yet. */
export const stillRunning = refuse("conflict", refusals.requestRunning);

/**
 * Calls that only write to the database: their effect, the key and the answer are one transaction. All others
 * ask the card provider or the identity in between; they can be done again under the same request without a
 * second effect.
 */
const whole: ReadonlySet<CallName> = new Set([
  "placePurchase",
  "shipPurchase",
  "addReview",
  "updateProfile",
  "addProduct",
  "editProduct",
  "deleteProduct",
  "makeAdmin",
]);

/** The key of a request: null without one, a refusal where it cannot be one. */
export function readKey(header: string | string[] | undefined): string | null | Refusal {
  if (header === undefined) return null;
  const isKey = typeof header === "string" && /^[\x21-\x7e]{1,255}$/.test(header);
  return isKey ? header : refuseField("Idempotency-Key", refusals.badRequestKey);
}

/** Makes the call, or answers what the first one under its key answered. Refuses other input under the same key. */
export function answerOnce(store: Store, call: KeyedCall, operate: Operate): Promise<unknown> {
  return whole.has(call.name) ? answerWhole(store, call, operate) : answerInSteps(store, call, operate);
}

/** Forgets keys after 24 hours; returns how many. */
export async function forgetOldKeys(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM shop.request WHERE started_at < now() - interval '24 hours'",
  );
  return rowCount ?? 0;
}

// An old key counts as new; one whose call was cut off is taken up again, as the same request.
const TAKE = `
INSERT INTO shop.request (id, person_id, key, digest, held_until)
VALUES ($1, $2, $3, $4, now() + interval '60 seconds')
ON CONFLICT (person_id, key) DO UPDATE SET
  id = CASE WHEN request.started_at < now() - interval '24 hours' THEN excluded.id ELSE request.id END,
  started_at = CASE WHEN request.started_at < now() - interval '24 hours' THEN now() ELSE request.started_at END,
  digest = excluded.digest, held_until = excluded.held_until, answer = NULL
WHERE request.started_at < now() - interval '24 hours'
  OR (request.answer IS NULL AND request.held_until < now() AND request.digest = excluded.digest)
RETURNING id`;

type Taken = { request: string } | { answered: unknown };

/** The key for this call, or what is to be answered instead. */
async function take(db: Pick<pg.ClientBase, "query">, call: KeyedCall): Promise<Taken> {
  const digest = digestOf(call);
  const { rows } = await db.query<{ id: string }>({
    name: "take-request",
    text: TAKE,
    values: [randomUUID(), call.personId, call.key, digest],
  });
  if (rows[0]) return { request: rows[0].id };
  const known = await db.query<{ digest: string; answer: string | null }>(
    "SELECT digest, answer FROM shop.request WHERE person_id = $1 AND key = $2",
    [call.personId, call.key],
  );
  const first = known.rows[0];
  if (!first) return { answered: stillRunning };
  if (first.digest !== digest) return { answered: refuseField("Idempotency-Key", refusals.otherRequest) };
  return { answered: first.answer === null ? stillRunning : JSON.parse(first.answer) };
}

const KEEP = "UPDATE shop.request SET answer = $2 WHERE id = $1";
const LOCK_TIMED_OUT = "55P03";

async function answerWhole(store: Store, call: KeyedCall, operate: Operate): Promise<unknown> {
  const client = await store.pool.connect();
  let outcome: Outcome;
  try {
    outcome = await transact(client, store, call, operate);
    client.release();
  } catch (error) {
    // closing the connection rolls back, whatever state it is in
    client.release(true);
    if (error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT) return stillRunning;
    throw error;
  }
  // a refusal has no effect; it is kept by itself, for its statement may have failed inside
  return "refusal" in outcome ? keepRefusal(store, call, outcome.refusal) : outcome.answered;
}

type Outcome = { answered: unknown } | { refusal: Refusal };

/** Killed at any moment, either the effect and its answer are there, or neither is. */
async function transact(
  client: pg.PoolClient,
  store: Store,
  call: KeyedCall,
  operate: Operate,
): Promise<Outcome> {
  // another call under this key holds it until it ends; that is not waited for
  await client.query("BEGIN; SET LOCAL lock_timeout = '250ms'");
  const taken = await take(client, call);
  if ("answered" in taken) {
    await client.query("ROLLBACK");
    return taken;
  }
  await client.query("SET LOCAL lock_timeout = DEFAULT");
  const result = await operate(boundTo(client, store), taken.request);
  if (isRefusal(result)) {
    await client.query("ROLLBACK");
    return { refusal: result };
  }
  await client.query({
    name: "keep-answer",
    text: KEEP,
    values: [taken.request, JSON.stringify(result)],
  });
  await client.query("COMMIT");
  return { answered: result };
}

async function keepRefusal(store: Store, call: KeyedCall, refusal: Refusal): Promise<unknown> {
  if (refusal.refused === "unavailable") return refusal;
  const taken = await take(store.pool, call);
  if ("answered" in taken) return taken.answered;
  await store.pool.query(KEEP, [taken.request, JSON.stringify(refusal)]);
  return refusal;
}

/** The key is taken first, for itself; a call that was cut off after its effect finds that effect by its request. */
async function answerInSteps(store: Store, call: KeyedCall, operate: Operate): Promise<unknown> {
  const taken = await take(store.pool, call);
  if ("answered" in taken) return taken.answered;
  try {
    const result = await operate(store, taken.request);
    const isFinal = !(isRefusal(result) && result.refused === "unavailable");
    await (isFinal
      ? store.pool.query(`${KEEP} AND answer IS NULL`, [taken.request, JSON.stringify(result)])
      : letGo(store, taken.request));
    return result;
  } catch (error) {
    await letGo(store, taken.request);
    throw error;
  }
}

/** Nothing was decided: the same key may try again at once. */
async function letGo(store: Store, request: string): Promise<void> {
  await store.pool.query("UPDATE shop.request SET held_until = now() WHERE id = $1 AND answer IS NULL", [
    request,
  ]);
}

function digestOf({ name, input }: KeyedCall): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest("base64url");
}
