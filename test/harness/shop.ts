/** The shop's operations on a running store's database and payment provider, for what no call does. */
import type { Store } from "../../shop/store.ts";
import type { TestStore } from "./store.ts";

/** With the store's own sandbox. */
export function shopOf({ pool, payments }: TestStore): Store {
  return {
    pool,
    payments,
    unpaidHoldHours: 168,
  };
}
