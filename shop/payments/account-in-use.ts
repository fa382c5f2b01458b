import type { Store } from "../store.ts";
import type { Account } from "./provider.ts";

/**
 * SQL: whether the payment `alias` belongs to the mode and account of `accountValues`, which are the parameters
 * `first` and `first + 1`. Unrecorded values count as equal.
 */
export const isOfAccountInUse = (alias: string, first: number) =>
  `(${alias}.mode IS NULL OR ${alias}.mode = $${first})
   AND ($${first + 1}::text IS NULL OR ${alias}.account IS NULL OR ${alias}.account = $${first + 1})`;

export async function accountValues(store: Store): Promise<[Account["mode"], Account["id"]]> {
  const { mode, id } = await store.payments.account();
  return [mode, id];
}
