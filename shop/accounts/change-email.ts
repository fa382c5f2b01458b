import type { Store } from "../store.ts";

/** Follows the identity, whose e-mail is the one that counts. Purchases keep the address they were placed with. */
export async function changeEmail(store: Store, id: string, email: string): Promise<void> {
  await store.database.updateTable("shop.user").set({ email }).where("id", "=", id).execute();
}
