import type { Store } from "../store.ts";

/** Purchases keep the email they were placed with. */
export async function changeEmail(store: Store, id: string, email: string): Promise<void> {
  await store.pool.query("UPDATE shop.user SET email = $2 WHERE id = $1", [id, email]);
}
