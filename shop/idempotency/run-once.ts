/** A write repeated under the same key gets the first response, for 24 hours (decision 11). */
import { createHash, randomUUID } from "node:crypto";
import type { Queryable } from "../../database/client.ts";
import { isLockTimeout } from "../../database/pg-errors.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";
import { isSavedResponse } from "./saved-response.ts";

export interface KeyedCall {
  name: string;
  userId: string;
  key: string;
  input: unknown;
}

/** `requestId` is the same for every attempt under the key. */
export type Operation = (store: Store, requestId: string) => Promise<unknown>;

/** Another request under this key is still running; nothing was done. */
export const inProgress = refuse("conflict", refusals.requestRunning);

/** Refuses a different input under the same key. */
export function runOnce(
  store: Store,
  strategy: "transaction" | "resumable",
  call: KeyedCall,
  operation: Operation,
): Promise<unknown> {
  return strategy === "transaction"
    ? runInTransaction(store, call, operation)
    : runResumable(store, call, operation);
}

const BATCH = 10_000;

const IS_OLD = "started_at < now() - interval '24 hours'";

export async function deleteOldKeys(db: Queryable): Promise<void> {
  for (;;) {
    // checked again, since an old key may be claimed meanwhile
    const { rowCount } = await db.query(
      `DELETE FROM shop.request WHERE ${IS_OLD} AND id = ANY (ARRAY(
         SELECT id FROM shop.request WHERE ${IS_OLD} LIMIT ${BATCH}))`,
    );
    if ((rowCount ?? 0) < BATCH) return;
  }
}

/** Key, effect and response are one transaction: after a crash all of them exist, or none. */
async function runInTransaction(store: Store, call: KeyedCall, operation: Operation): Promise<unknown> {
  const outcome = await inTransaction(store, async (tx) => {
    const claim = await claimKey(tx.pool, call);
    if (isRefusal(claim) || "response" in claim) return claim;
    const result = await operation(tx, claim.requestId);
    if (isRefusal(result)) return result;
    await saveResponse(tx.pool, claim.requestId, result);
    return { response: result };
  });
  // saved separately: the transaction of a refusal is rolled back
  return isRefusal(outcome) ? saveRefusal(store, call, outcome) : outcome.response;
}

async function saveRefusal(store: Store, call: KeyedCall, refusal: Refusal): Promise<unknown> {
  if (refusal === inProgress || refusal.refused === "unavailable") return refusal;
  const claim = await claimKey(store.pool, call);
  if (isRefusal(claim)) return claim;
  if ("response" in claim) return claim.response;
  // if this attempt took longer than its claim lasts, another attempt may have responded first
  return (await saveResponse(store.pool, claim.requestId, refusal))
    ? refusal
    : readResponse(store.pool, call);
}

/** The key is committed first; an attempt that was cut off is resumed under the same request id. */
async function runResumable(store: Store, call: KeyedCall, operation: Operation): Promise<unknown> {
  const claim = await claimKey(store.pool, call);
  if (isRefusal(claim)) return claim;
  if ("response" in claim) return claim.response;
  try {
    const result = await operation(store, claim.requestId);
    if (isRefusal(result) && result.refused === "unavailable") await releaseKey(store, claim.requestId);
    else if (!isSavedResponse(result)) await saveResponse(store.pool, claim.requestId, result);
    return result;
  } catch (error) {
    // the first error counts; a key that cannot be released expires after a minute
    await releaseKey(store, claim.requestId).catch(() => undefined);
    throw error;
  }
}

type Claim = { requestId: string } | { response: unknown } | Refusal;

const WAIT_MS = 250;

/** Claims the key. After `inProgress`, a transaction can only be rolled back. */
async function claimKey(db: Queryable, call: KeyedCall): Promise<Claim> {
  try {
    const { rows } = await db.query<{ id: string | null }>({
      name: "claim-key",
      text: `SELECT shop.claim_key($1, $2, $3, $4, '${WAIT_MS}ms') AS id`,
      values: [randomUUID(), call.userId, call.key, digestOf(call)],
    });
    const requestId = rows[0]?.id;
    return requestId ? { requestId } : { response: await readResponse(db, call) };
  } catch (error) {
    if (isLockTimeout(error)) return inProgress;
    throw error;
  }
}

async function readResponse(db: Queryable, call: KeyedCall): Promise<unknown> {
  const { rows } = await db.query<{ digest: string; answer: string | null }>(
    `SELECT digest, answer FROM shop.request
     WHERE person_id = $1 AND key = $2 AND started_at >= now() - interval '24 hours'`,
    [call.userId, call.key],
  );
  const first = rows[0];
  if (!first) return inProgress;
  if (first.digest !== digestOf(call)) return refuseField("Idempotency-Key", refusals.otherRequest);
  return first.answer === null ? inProgress : JSON.parse(first.answer);
}

/** Returns whether it was saved: only the first response of a request is. */
async function saveResponse(db: Queryable, requestId: string, response: unknown): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "save-response",
    text: "UPDATE shop.request SET answer = $2 WHERE id = $1 AND answer IS NULL",
    values: [requestId, JSON.stringify(response)],
  });
  return rowCount === 1;
}

/** Nothing was decided: the key can be reused at once. */
async function releaseKey(store: Store, requestId: string): Promise<void> {
  await store.pool.query("UPDATE shop.request SET held_until = now() WHERE id = $1 AND answer IS NULL", [
    requestId,
  ]);
}

function digestOf({ name, input }: KeyedCall): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest("base64url");
}
