/** No connection was available in time, and no statement was sent. `code` is that of the cause, if any. */
export class ConnectionError extends Error {
  override name = "NoConnection";
  readonly code: string | undefined;
  readonly busy: boolean;

  constructor(cause: Error & { code?: string }) {
    super(`no database connection: ${cause.message}`, { cause });
    this.code = cause.code;
    this.busy = cause.code === TOO_MANY || TIMED_OUT.test(cause.message);
  }
}

const TOO_MANY = "53300";
/** pg's messages for a timeout: waiting for a connection of the pool, or for the server. */
const TIMED_OUT = /timeout exceeded when trying to connect|due to connection timeout/;
