import type { Store } from "../store.ts";
import type { Account } from "./provider.ts";

/** SQL: whether the payment `alias` belongs to mode $`at` and account $`at + 1`. Unrecorded values count as equal. */
export const ofAccount = (alias: string, at: number) =>
  `(${alias}.mode IS NULL OR ${alias}.mode = $${at})
   AND ($${at + 1}::text IS NULL OR ${alias}.account IS NULL OR ${alias}.account = $${at + 1})`;

export async function accountValues(store: Store): Promise<[Account["mode"], Account["id"]]> {
  const { mode, id } = await store.payments.account();
  return [mode, id];
}
