/**
 * No connection to the database could be had in time: all of them are in use, or the database is away. Nothing was
 * asked of it. `code` is that of the cause, where there is one.
 */
export class ConnectionError extends Error {
  override name = "NoConnection";
  readonly code: string | undefined;
  /** whether it is there, and has no time */
  readonly busy: boolean;

  constructor(cause: Error & { code?: string }) {
    super(`no database connection: ${cause.message}`, { cause });
    this.code = cause.code;
    this.busy = cause.code === TOO_MANY || TIMED_OUT.test(cause.message);
  }
}

const TOO_MANY = "53300";
/** The pool's own words for a wait that was too long: for one of its connections, or for the server. */
const TIMED_OUT = /timeout exceeded when trying to connect|due to connection timeout/;
