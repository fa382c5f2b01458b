import pg from "pg";
import type { Queryable } from "./client.ts";
import { ConnectionError } from "./connection-error.ts";

export type Unavailability = "unreachable" | "busy" | "readOnly" | "diskFull";

/** After which a request should be repeated, in seconds. */
export const retryAfter: Record<Unavailability, number> = {
  unreachable: 5,
  busy: 5,
  readOnly: 30,
  diskFull: 30,
};

const READ_ONLY = "25006";
const DISK_FULL = "53100";
/** PostgreSQL's error classes for failed connections and for servers that start, stop or close a connection. */
const UNREACHABLE = /^(08...|57P0[1235])$/;
/**
 * Out of memory or connections, another limit of the server, a statement or transaction that waited too long, a deadlock, or
 * a read that a replica cancelled for the sake of what it replays (40001).
 */
const BUSY = /^(53[234]00|57014|55P03|25P0[34]|40P01|40001)$/;
/** The last three: a lost machine is reported by its network before the connection times out. */
const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
]);
/** pg's messages for a connection that was lost before or during a query. */
const CONNECTION_LOST =
  /^Connection terminated|^Client (has encountered a connection error|was closed) and is not queryable/;

export function unavailabilityOf(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined;
  return ownUnavailability(error) ?? unavailabilityOf(error.cause);
}

function ownUnavailability(error: Error & { code?: string }): Unavailability | undefined {
  const { code = "", message } = error;
  if (error instanceof ConnectionError) return error.busy ? "busy" : "unreachable";
  if (error instanceof pg.DatabaseError) {
    if (code === READ_ONLY) return "readOnly";
    if (code === DISK_FULL) return "diskFull";
    if (BUSY.test(code)) return "busy";
    return UNREACHABLE.test(code) ? "unreachable" : undefined;
  }
  return NETWORK.has(code) || CONNECTION_LOST.test(message) ? "unreachable" : undefined;
}

/** Of the database, or of a file that is written. */
export function isDiskFull(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["ENOSPC", "EDQUOT"].includes(code) || unavailabilityOf(error) === "diskFull";
}

/** Also proves that the database responds. */
export async function isReadOnly(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ readOnly: boolean }>(
    `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  return rows[0]?.readOnly ?? false;
}
