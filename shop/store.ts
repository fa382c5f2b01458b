import type { Queryable } from "../database/client.ts";
import type { PaymentProvider } from "./payments/provider.ts";

/** What the operations of the shop need; the server creates it at the start. */
export interface Store {
  /** in a transaction, its connection */
  pool: Queryable;
  payments: PaymentProvider;
  /** hours until an unpaid order expires; 0 = never */
  unpaidHoldHours: number;
}

/** The user who makes a call, as currently recorded. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
}
