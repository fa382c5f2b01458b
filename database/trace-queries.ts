import type pg from "pg";

export type TraceQuery = <Result>(
  statement: { name?: string; text: string },
  run: () => Promise<Result>,
) => Promise<Result>;

type Query = (...args: unknown[]) => Promise<unknown>;

export function traceQueries(pool: pg.Pool, trace: TraceQuery): void {
  traceQueriesOf(pool, trace);
  pool.on("connect", (client) => traceQueriesOf(client, trace));
}

function traceQueriesOf(target: { query: unknown }, trace: TraceQuery): void {
  const query = (target.query as Query).bind(target);
  const traced: Query = (...args) => {
    // the pool executes its own statements, which are traced already, with a callback
    if (typeof args.at(-1) === "function") return query(...args);
    const [statement] = args as [string | { name?: string; text: string }];
    return trace(typeof statement === "string" ? { text: statement } : statement, () => query(...args));
  };
  target.query = traced;
}
