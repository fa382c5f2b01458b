import pg from "pg";
import type { Queryable } from "./client.ts";

export interface SharedSecret {
  /** compared by each node with that of its own secret */
  digest: string;
  /** null if the nodes have it from their environment */
  master: string | null;
}

/** Identifies a store; undefined if the database has none that was ever started. */
export async function findSecretDigest(connection: pg.ClientConfig): Promise<string | undefined> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // the query reports it
  try {
    await client.connect();
    const table = await client.query("SELECT to_regclass('shop.shared_secret') AS name");
    if (table.rows[0]?.name === null) return undefined;
    const { rows } = await client.query<{ digest: string }>("SELECT digest FROM shop.shared_secret");
    return rows[0]?.digest;
  } finally {
    await client.end();
  }
}

export async function shareSecret(db: Queryable, secret: SharedSecret): Promise<SharedSecret> {
  await db.query("INSERT INTO shop.shared_secret (digest, master) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    secret.digest,
    secret.master,
  ]);
  const { rows } = await db.query<SharedSecret>("SELECT digest, master FROM shop.shared_secret");
  return rows[0] as SharedSecret;
}
