/** The shop's operations on a running store's database and payment provider, for what no call does. */
import type { Store, User } from "../../shop/store.ts";
import type { TestStore } from "./store.ts";

/** With the store's own sandbox. */
export function shopOf({ pool, payments }: TestStore): Store {
  return {
    pool,
    payments,
    unpaidHoldHours: 168,
  };
}

/** A user as operations get it. */
export async function userRow({ pool }: TestStore, { email }: { email: string }): Promise<User> {
  const { rows } = await pool.query<User>("SELECT * FROM shop.user WHERE email = $1", [email]);
  return rows[0] as User;
}
