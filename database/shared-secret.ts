import type { Queryable } from "./client.ts";

export interface SharedSecret {
  /** compared by each node with that of its own secret */
  digest: string;
  /** null if the nodes have it from their environment */
  master: string | null;
}

export async function shareSecret(db: Queryable, secret: SharedSecret): Promise<SharedSecret> {
  await db.query("INSERT INTO shop.shared_secret (digest, master) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    secret.digest,
    secret.master,
  ]);
  const { rows } = await db.query<SharedSecret>("SELECT digest, master FROM shop.shared_secret");
  return rows[0] as SharedSecret;
}
