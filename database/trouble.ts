import pg from "pg";
import type { Queryable } from "./client.ts";
import { ConnectionError } from "./connection-error.ts";

/**
 * Why the database could not do what it was asked, where the statement is not to blame: it is away, has no connection
 * or memory to spare, is a standby or set to read-only, or its disk is full.
 */
export type DatabaseTrouble = "away" | "busy" | "readOnly" | "diskFull";

const READ_ONLY = "25006";
const DISK_FULL = "53100";
/** PostgreSQL's classes for connections that fail and for servers that start, stop or cut a connection. */
const AWAY = /^(08...|57P0[1235])$/;
/** no memory, no connection, or another limit of the server */
const BUSY = /^53[234]00$/;
const NETWORK = new Set(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE"]);
/** What the client says when its connection ends within a query, or had ended before. */
const CUT_OFF =
  /^Connection terminated|^Client (has encountered a connection error|was closed) and is not queryable/;

/** The trouble that an error, or one of its causes, tells of; undefined where it tells of none. */
export function troubleOf(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  return ownTrouble(error) ?? troubleOf(error.cause);
}

function ownTrouble(error: Error & { code?: string }): DatabaseTrouble | undefined {
  const { code = "", message } = error;
  if (error instanceof ConnectionError) return error.busy ? "busy" : "away";
  if (error instanceof pg.DatabaseError) {
    if (code === READ_ONLY) return "readOnly";
    if (code === DISK_FULL) return "diskFull";
    if (BUSY.test(code)) return "busy";
    return AWAY.test(code) ? "away" : undefined;
  }
  return NETWORK.has(code) || CUT_OFF.test(message) ? "away" : undefined;
}

/** Whether the database accepts no writes, which also proves that it responds. */
export async function isReadOnly(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ readOnly: boolean }>(
    `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  return rows[0]?.readOnly ?? false;
}
