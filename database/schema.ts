/** The tables of the store as Kysely sees them. Money is whole cents; `bigint` columns arrive as numbers. */
import type { Generated, GeneratedAlways } from "kysely";

export interface UserTable {
  id: string;
  email: string;
  name: string;
  role: Generated<"user" | "admin">;
  education: string | null;
  location: string | null;
  phone: string | null;
  linkedin: string | null;
  created_at: Generated<Date>;
  /** when an admin closed the account */
  disabled_at: Date | null;
  /** when its owner deleted it; what remains is the number */
  deleted_at: Date | null;
}

export interface ProductTable {
  id: Generated<string>;
  name: string;
  picture: string;
  price_cents: number;
  quantity: number;
  minimum_order: number;
  description: string;
  item_number: string | null;
  category: string | null;
  key_fact: string | null;
  power_source: string | null;
  technical_data: { name: string; value: string }[] | null;
  drawn_box: [number, number, number, number] | null;
  dimensions: { width: number; height: number } | null;
  version: Generated<number>;
  created_at: Generated<Date>;
  archived_at: Date | null;
}

export type PurchaseStatus = "unpaid" | "paid" | "shipped";

export interface PurchaseTable {
  id: Generated<string>;
  user_id: string;
  product_id: string;
  name: string;
  email: string;
  address: string;
  phone: string;
  product_name: string;
  picture: string;
  item_number: string | null;
  quantity: number;
  price_cents: number;
  total_cents: GeneratedAlways<number>;
  status: Generated<PurchaseStatus>;
  transaction_id: string | null;
  placed_at: Generated<Date>;
  paid_at: Date | null;
  shipped_at: Date | null;
  cancelled_at: Date | null;
  cancelled_by: string | null;
  cancelled_because: "buyer" | "admin" | "expired" | null;
  /** promised back of what was paid, whether or not it has arrived */
  refunded_cents: Generated<number>;
  returned_at: Date | null;
  /** since when a refund restocks its items, made or pending */
  restock_at: Date | null;
  /** of the digest in the audit log; deleted together with name and address */
  ship_to_salt: Generated<string | null>;
  disputed_at: Date | null;
  /** when the buyer was told that the time runs out */
  reminded_at: Date | null;
  payments_opened: Generated<number>;
  /** the mode of the payment that paid it */
  paid_mode: PaymentMode | null;
}

type PaymentMode = "sandbox" | "test" | "live";

interface PaymentTable {
  id: string;
  user_id: string;
  purchase_id: string;
  loose: Generated<boolean>;
  seen_at: Date | null;
  amount_cents: number;
  status: Generated<"open" | "succeeded" | "cancelled" | "refund_due" | "refunded">;
  opened_at: Generated<Date>;
  asked_at: Generated<Date>;
  checked_at: Generated<Date>;
  settled_at: Date | null;
  refund_id: string | null;
  /** since when its bank works on it */
  processing_at: Date | null;
  /** since when the cardholder's bank disputes it */
  disputed_at: Date | null;
  /** of the account at the provider that it belongs to; null where it was not recorded */
  mode: PaymentMode | null;
  /** the provider's id of that account */
  account: string | null;
}

interface RefundTable {
  id: Generated<string>;
  payment_id: string;
  purchase_id: string;
  amount_cents: number;
  reason: string;
  origin: "late" | "admin" | "provider";
  return_to_stock: Generated<boolean>;
  status: Generated<"due" | "done" | "refused" | "failed" | "settled">;
  provider_id: string | null;
  asked_by: string | null;
  asked_at: Generated<Date>;
  checked_at: Generated<Date>;
  done_at: Date | null;
  /** what the provider said against it, or why it came back */
  problem: string | null;
  /** how often the provider was asked anew, after it came back */
  attempt: Generated<number>;
  /** how the money was given back another way */
  settled_how: string | null;
}

export type EventSubject = "purchase" | "product" | "payment" | "refund" | "user" | "review" | "synonym";

export interface EventTable {
  id: GeneratedAlways<string>;
  at: GeneratedAlways<Date>;
  who: string | null;
  role: "user" | "admin" | "system";
  what: string;
  subject: EventSubject;
  subject_id: string;
  purchase_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  agent: string | null;
}

interface ReviewTable {
  id: Generated<string>;
  user_id: string | null;
  name: string;
  rating: number;
  description: string;
  written_at: Generated<Date>;
  /** when an admin hid it */
  hidden_at: Date | null;
}

export interface Tables {
  "shop.user": UserTable;
  "shop.product": ProductTable;
  "shop.purchase": PurchaseTable;
  "shop.payment": PaymentTable;
  "shop.refund": RefundTable;
  "shop.event": EventTable;
  "shop.review": ReviewTable;
}
