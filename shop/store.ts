import type pg from "pg";
import type { Database } from "../database/client.ts";
import type { PaymentProvider } from "./payments/provider.ts";

/** What the operations of the shop work with; the server puts it together once. */
export interface Store {
  database: Database;
  /** the same connections, for the statements that are prepared once and run often */
  pool: pg.Pool;
  payments: PaymentProvider;
  /** hours until an unpaid purchase expires; 0 = never */
  unpaidHoldHours: number;
}

/** Who makes a call: the user record as it stands now. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
}
