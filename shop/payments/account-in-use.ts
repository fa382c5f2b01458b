import type { Store } from "../store.ts";
import type { Account } from "./provider.ts";

/**
 * Whether the payment `alias` belongs to the account whose mode is $`at` and whose id is $`at + 1`, as SQL. What was
 * not recorded counts as the same.
 */
export const ofAccount = (alias: string, at: number) =>
  `(${alias}.mode IS NULL OR ${alias}.mode = $${at})
   AND ($${at + 1}::text IS NULL OR ${alias}.account IS NULL OR ${alias}.account = $${at + 1})`;

/** The values for that: of the account in use. */
export async function accountValues(store: Store): Promise<[Account["mode"], Account["id"]]> {
  const { mode, id } = await store.payments.account();
  return [mode, id];
}
