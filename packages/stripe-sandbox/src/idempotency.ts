/** Key, changes and response are one transaction: after a crash all exist or none, and the call may be repeated. */
import { createHash } from "node:crypto";
import pg from "pg";
import type { Form } from "./form.ts";
import { refused, type SandboxResponse } from "./responses.ts";

/** PostgreSQL's code of a `lock_timeout`. */
const LOCK_NOT_AVAILABLE = "55P03";

export type Db = Pick<pg.PoolClient, "query">;

export interface KeyedCall {
  caller: string;
  key: string | undefined;
  fingerprint: string;
  requestId: string;
}

export interface SerializedResponse {
  status: number;
  text: string;
  changed: boolean;
  /** the request that the response was first sent to, if it is replayed */
  replayOf?: string;
}

export async function runOnce(
  pool: pg.Pool,
  call: KeyedCall,
  run: (db: Db) => Promise<SandboxResponse>,
): Promise<SerializedResponse> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL lock_timeout = '4s'");
    const response = await runInTransaction(client, call, run);
    client.release();
    return response;
  } catch (error) {
    // closing the connection rolls back in any state
    client.release(true);
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return serialize(busy());
    throw error;
  }
}

export interface Insert {
  table: string;
  row: object;
  response: SandboxResponse;
}

/** As `runOnce`, of a call with a key: key, row and response are one statement. */
export async function insertOnce(
  pool: pg.Pool,
  call: KeyedCall,
  { table, row, response }: Insert,
): Promise<SerializedResponse> {
  const result = serialize(response);
  const { rowCount } = await pool.query({
    name: `sandbox-insert-once-${table}`,
    text: `WITH claimed AS (${CLAIM_KEY} RETURNING key)
     INSERT INTO ${table} SELECT inserted.* FROM claimed, jsonb_populate_record(NULL::${table}, $7) AS inserted`,
    values: [call.caller, call.key, call.fingerprint, call.requestId, result.status, result.text, row],
  });
  return rowCount ? result : earlierResponse(pool, call);
}

async function runInTransaction(
  db: Db,
  call: KeyedCall,
  run: (db: Db) => Promise<SandboxResponse>,
): Promise<SerializedResponse> {
  const earlier = call.key === undefined ? null : await claimKey(db, call);
  if (earlier) {
    await db.query("ROLLBACK");
    return earlier;
  }
  const response = await run(db);
  const result = serialize(response);
  if (response.isCommitted && call.key !== undefined) {
    await db.query({
      name: "sandbox-save-response",
      text: "UPDATE sandbox.idempotency SET status = $3, body = $4 WHERE caller = $1 AND key = $2",
      values: [call.caller, call.key, result.status, result.text],
    });
  }
  await db.query(response.isCommitted ? "COMMIT" : "ROLLBACK");
  return result;
}

// Waits for a running call with this key. No row: the key has a response.
const CLAIM_KEY = `
  INSERT INTO sandbox.idempotency AS existing (caller, key, fingerprint, request_id, status, body)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (caller, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, request_id = excluded.request_id,
        status = excluded.status, body = excluded.body, created_at = now()
    WHERE existing.created_at < now() - interval '24 hours'`;

async function claimKey(db: Db, call: KeyedCall): Promise<SerializedResponse | null> {
  const { rowCount } = await db.query({
    name: "sandbox-take-key",
    text: CLAIM_KEY,
    values: [call.caller, call.key, call.fingerprint, call.requestId, null, null],
  });
  return rowCount ? null : earlierResponse(db, call);
}

async function earlierResponse(db: Db, call: KeyedCall): Promise<SerializedResponse> {
  const { rows } = await db.query<{ fingerprint: string; status: number; body: string; request_id: string }>(
    "SELECT fingerprint, status, body, request_id FROM sandbox.idempotency WHERE caller = $1 AND key = $2",
    [call.caller, call.key],
  );
  const [earlier] = rows;
  if (!earlier) throw new Error("the idempotency key does not exist");
  if (earlier.fingerprint !== call.fingerprint) return serialize(otherParameters(call.key ?? ""));
  return { status: earlier.status, text: earlier.body, changed: false, replayOf: earlier.request_id };
}

export function fingerprint(method: string, path: string, form: Form): string {
  return createHash("sha256")
    .update(JSON.stringify([method, path, sorted(form)]))
    .digest("hex");
}

function sorted(value: string | Form): unknown {
  if (typeof value === "string") return value;
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name] ?? "")]);
}

export function serialize(response: SandboxResponse): SerializedResponse {
  return { status: response.status, text: JSON.stringify(response.body), changed: response.isCommitted };
}

function otherParameters(key: string): SandboxResponse {
  return refused(400, {
    type: "idempotency_error",
    message:
      "Keys for idempotent requests can only be used with the same parameters they were first used with. " +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function busy(): SandboxResponse {
  return refused(409, {
    code: "lock_timeout",
    message:
      "This object cannot be accessed right now because another API request is currently accessing it.",
  });
}
