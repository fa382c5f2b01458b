/**
 * Idempotency-Key: a writing call that is made again under the same key gives the same answer, for 24 hours
 * (docs/decisions: idempotency). The key and the effect never part, whenever the store is killed.
 */
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Selectable } from "kysely";
import type pg from "pg";
import type { CallName } from "../../api/contract.ts";
import { isLockTimeout } from "../../database/pg-errors.ts";
import type { PurchaseTable } from "../../database/schema.ts";
import { inProgress, type RequestKey } from "../../shop/idempotency/idempotency-key.ts";
import { toPurchase } from "../../shop/orders/entity.ts";
import { isRefusal, type Refusal, refuseField } from "../../shop/refusal.ts";
import type { Store } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { bindTo } from "../../shop/transaction.ts";

/** One call under a key. */
export interface KeyedCall {
  name: CallName;
  personId: string;
  key: string;
  input: unknown;
}

/** Does the call's operation with a store; `request` is the same for every try under the key. */
export type Operation = (store: Store, request: string, key?: RequestKey) => Promise<unknown>;

/**
 * Calls that only write to the database: their effect, the key and the answer are one transaction. All others but
 * `placePurchase` ask the card provider in between; they can be done again under the same request without a second
 * effect.
 */
const transactionalCalls: ReadonlySet<CallName> = new Set([
  "shipPurchase",
  "undoShipment",
  "addReview",
  "updateProfile",
  "addProduct",
  "editProduct",
  "deleteProduct",
  "makeAdmin",
  "hideReview",
  "recordManualRefund",
  "closeUser",
  "endSession",
  "endOtherSessions",
  "retryEmail",
]);

/** The key of a request: null without one, a refusal where it cannot be one. */
export function readKey(header: string | string[] | undefined): string | null | Refusal {
  if (header === undefined) return null;
  const isKey = typeof header === "string" && /^[\x21-\x7e]{1,255}$/.test(header);
  return isKey ? header : refuseField("Idempotency-Key", refusals.badRequestKey);
}

/** Makes the call, or answers what the first one under its key answered. Refuses other input under the same key. */
export function runOnce(store: Store, call: KeyedCall, operate: Operation): Promise<unknown> {
  if (call.name === "placePurchase") return runWithKeyInStatement(store, call, operate);
  return transactionalCalls.has(call.name)
    ? runInTransaction(store, call, operate)
    : runResumable(store, call, operate);
}

/** Forgets keys after 24 hours; returns how many. */
export async function deleteOldKeys(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    "DELETE FROM shop.request WHERE started_at < now() - interval '24 hours'",
  );
  return rowCount ?? 0;
}

type Taken = { request: string } | { answered: unknown };

/** How long a call waits for the first one under its key before it is told that it is still running. */
const LOCK_TIMEOUT_MS = 250;

/** The key for this call, or what is to be answered instead. Not to be gone on with in a transaction after that. */
async function claimKey(store: Store, db: Pick<pg.ClientBase, "query">, call: KeyedCall): Promise<Taken> {
  try {
    const { rows } = await db.query<{ id: string | null }>({
      name: "take-request",
      text: `SELECT shop.take_request($1, $2, $3, $4, '${LOCK_TIMEOUT_MS}ms') AS id`,
      values: [randomUUID(), call.personId, call.key, digestOf(call)],
    });
    const id = rows[0]?.id;
    return id ? { request: id } : { answered: await storedResult(db, call, store) };
  } catch (error) {
    if (isLockTimeout(error)) return { answered: inProgress };
    throw error;
  }
}

const FIRST = `
SELECT request.digest, request.answer, purchase.*
FROM shop.request LEFT JOIN LATERAL jsonb_populate_record(NULL::shop.purchase, request.placed) AS purchase
  ON request.placed IS NOT NULL
WHERE request.person_id = $1 AND request.key = $2 AND request.started_at >= now() - interval '24 hours'`;

type First = { digest: string; answer: string | null } & (Selectable<PurchaseTable> | { id: null });

/** What the first call under this key answered, or why this one is refused. */
async function storedResult(
  db: Pick<pg.ClientBase, "query">,
  call: KeyedCall,
  { unpaidHoldHours }: Store,
): Promise<unknown> {
  const { rows } = await db.query<First>(FIRST, [call.personId, call.key]);
  const first = rows[0];
  if (!first) return inProgress;
  if (first.digest !== digestOf(call)) return refuseField("Idempotency-Key", refusals.otherRequest);
  if (first.id !== null) return toPurchase(first, unpaidHoldHours);
  return first.answer === null ? inProgress : JSON.parse(first.answer);
}

const SAVE_RESULT = "UPDATE shop.request SET answer = $2 WHERE id = $1";

const inFlight = new Map<string, Promise<unknown>>();

/** The operation's one statement takes the key, has the effect and keeps the answer, together with other buyers'. */
async function runWithKeyInStatement(store: Store, call: KeyedCall, operate: Operation): Promise<unknown> {
  const same = `${call.personId} ${call.key}`;
  const first = inFlight.get(same);
  if (first) {
    await Promise.race([Promise.allSettled([first]), setTimeout(LOCK_TIMEOUT_MS)]);
    return storedResult(store.pool, call, store);
  }
  const answer = operateWithKey(store, call, operate).finally(() => inFlight.delete(same));
  inFlight.set(same, answer);
  return answer;
}

async function operateWithKey(store: Store, call: KeyedCall, operate: Operation): Promise<unknown> {
  const key = { request: randomUUID(), key: call.key, digest: digestOf(call) };
  const result = await operate(store, key.request, key);
  if (result === inProgress) return storedResult(store.pool, call, store);
  return isRefusal(result) ? keepRefusal(store, call, result) : result;
}

async function runInTransaction(store: Store, call: KeyedCall, operate: Operation): Promise<unknown> {
  const client = await store.pool.connect();
  let outcome: Outcome;
  try {
    outcome = await transact(client, store, call, operate);
    client.release();
  } catch (error) {
    // closing the connection rolls back, whatever state it is in
    client.release(true);
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
  operate: Operation,
): Promise<Outcome> {
  await client.query("BEGIN");
  const taken = await claimKey(store, client, call);
  if ("answered" in taken) {
    await client.query("ROLLBACK");
    return taken;
  }
  const result = await operate(bindTo(client, store), taken.request);
  if (isRefusal(result)) {
    await client.query("ROLLBACK");
    return { refusal: result };
  }
  await client.query({
    name: "keep-answer",
    text: SAVE_RESULT,
    values: [taken.request, JSON.stringify(result)],
  });
  await client.query("COMMIT");
  return { answered: result };
}

async function keepRefusal(store: Store, call: KeyedCall, refusal: Refusal): Promise<unknown> {
  if (refusal.refused === "unavailable") return refusal;
  const taken = await claimKey(store, store.pool, call);
  if ("answered" in taken) return taken.answered;
  const values = [taken.request, JSON.stringify(refusal)];
  const { rowCount } = await store.pool.query(`${SAVE_RESULT} AND answer IS NULL AND placed IS NULL`, values);
  // held up for longer than a key is held, another try may have come first: what that one was told counts
  return rowCount === 1 ? refusal : storedResult(store.pool, call, store);
}

/** The key is taken first, for itself; a call that was cut off after its effect finds that effect by its request. */
async function runResumable(store: Store, call: KeyedCall, operate: Operation): Promise<unknown> {
  const taken = await claimKey(store, store.pool, call);
  if ("answered" in taken) return taken.answered;
  try {
    const result = await operate(store, taken.request);
    const isFinal = !(isRefusal(result) && result.refused === "unavailable");
    await (isFinal
      ? store.pool.query(`${SAVE_RESULT} AND answer IS NULL`, [taken.request, JSON.stringify(result)])
      : releaseKey(store, taken.request));
    return result;
  } catch (error) {
    // what went wrong counts, also where the key cannot be let go and is held for its minute
    await releaseKey(store, taken.request).catch(() => undefined);
    throw error;
  }
}

/** Nothing was decided: the same key may try again at once. */
async function releaseKey(store: Store, request: string): Promise<void> {
  await store.pool.query("UPDATE shop.request SET held_until = now() WHERE id = $1 AND answer IS NULL", [
    request,
  ]);
}

function digestOf({ name, input }: KeyedCall): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest("base64url");
}
