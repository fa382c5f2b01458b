/** A pooler in transaction mode, such as PgBouncer, gives each transaction any of its sessions with PostgreSQL. */
import pg from "pg";

type Query = (...args: unknown[]) => unknown;

/** A statement prepared in one session is unknown in the next one. */
export function dropStatementNames(client: { query: unknown }): void {
  const query = (client.query as Query).bind(client);
  const unnamed: Query = (statement, ...args) =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...args);
  client.query = unnamed;
}

function isNamed(statement: unknown): statement is { name: string } {
  return typeof statement === "object" && statement !== null && "name" in statement;
}

/** A busy pooler may give another session at first. */
const TRIES = 5;

export async function isTransactionPooler(connection: pg.ClientConfig): Promise<boolean> {
  const clients = [new pg.Client(connection), new pg.Client(connection)] as const;
  for (const client of clients) client.on("error", () => undefined); // the query reports it
  try {
    for (const client of clients) await client.connect();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [one, other] = [await readProcess(clients[0]), await readProcess(clients[1])];
      if (one === other) return true;
    }
    return false;
  } finally {
    for (const client of clients) await client.end();
  }
}

async function readProcess(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}
