/** The shop's own operations on a running store's database and payment processor, for what no call can ask. */
import type { Store } from "../../shop/store.ts";
import type { TestStore } from "./store.ts";

/** What the operations work with. They speak to the store's own sandbox processor. */
export function shopOf({ pool, payments }: TestStore): Store {
  return {
    pool,
    payments,
    unpaidHoldHours: 168,
  };
}
