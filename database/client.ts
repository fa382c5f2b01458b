import pg from "pg";
import { ConnectionError } from "./connection-error.ts";
import { dropStatementNames } from "./pooler.ts";
import { type TraceQuery, traceQueries } from "./trace-queries.ts";

export type Queryable = Pick<pg.ClientBase, "query">;

const INT8 = 20;
const NUMERIC = 1700;

// The constraints keep sums and amounts far below 2^53, so they may be plain numbers.
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/** A missing connection is reported at most this often, since many requests may wait for one. */
const REPORT_INTERVAL_MS = 5000;

const CONNECT_MS = 10_000;

/** A machine that is lost does not close its connections: without this a client would wait for it forever. */
export const keepAliveOptions = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 20_000,
} satisfies pg.ClientConfig;

class Pool extends pg.Pool {
  #report: (error: Error) => void;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: pg.PoolConfig, report: (error: Error) => void) {
    super(options);
    this.#report = report;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect((error, client, done) => callback(error && this.#reportMissing(error), client, done));
      return undefined;
    }
    return super.connect().catch((error: Error) => {
      throw this.#reportMissing(error);
    });
  }

  #reportMissing(cause: Error): ConnectionError {
    const error = new ConnectionError(cause);
    if (!this.ending && performance.now() - this.#reportedAt > REPORT_INTERVAL_MS) {
      this.#reportedAt = performance.now();
      this.#report(error);
    }
    return error;
  }
}

interface PoolOptions extends pg.PoolConfig {
  /** Whatever limits the role has, statements and transactions take as long as they need. */
  isUnlimited?: boolean;
  /** through a pooler in transaction mode */
  isPooled?: boolean;
}

/** PostgreSQL would keep what a lost node has locked for two hours, which is the default of Linux. */
async function setServerKeepAlive(client: pg.ClientBase): Promise<void> {
  await client.query({
    text: `SELECT set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', '5', false),
      set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '40s', false)`,
    query_timeout: CONNECT_MS,
  } as pg.QueryConfig);
}

/** For what takes long, on a connection of its own: the role, or its database, may have limits for requests. */
export async function removeTimeLimits(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SELECT set_config(name, '0', false) FROM unnest(ARRAY['statement_timeout', 'transaction_timeout',
       'idle_in_transaction_session_timeout', 'idle_session_timeout']) AS name`,
  );
}

/** Throws `ConnectionError` if no connection is available within ten seconds; the pool reconnects by itself. */
export function openPool(
  { isPooled = false, isUnlimited = false, ...connection }: PoolOptions,
  report: (error: Error) => void,
  trace?: TraceQuery,
): pg.Pool {
  const options = {
    max: 20,
    ...keepAliveOptions,
    idleTimeoutMillis: 60_000,
    // PgBouncer refuses the parameter
    statement_timeout: isPooled ? (false as const) : 15_000,
    async onConnect(client: pg.ClientBase) {
      // a pooler gives the next transaction another session
      if (!isPooled && !connection.host?.startsWith("/")) await setServerKeepAlive(client);
      if (isUnlimited) await removeTimeLimits(client);
    },
    ...connection,
    types,
  };
  const pool = new Pool(options, report);
  // the server may stop before it has read that the connections end
  pool.on("error", (error) => pool.ending || report(error));
  // an error of a connection in use rejects its query, and the pool reports errors of idle ones itself; an unhandled
  // error event would end the process
  pool.on("connect", (client) => client.on("error", () => undefined));
  if (isPooled) pool.on("connect", dropStatementNames);
  if (trace) traceQueries(pool, trace);
  return pool;
}
