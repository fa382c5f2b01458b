import type { Queryable } from "../database/client.ts";
import type { PaymentProvider } from "./payments/provider.ts";

export interface Store {
  /** in a transaction, its connection */
  pool: Queryable;
  payments: PaymentProvider;
  /** hours until an unpaid order expires; 0: never */
  unpaidHoldHours: number;
}

export interface User {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
}
