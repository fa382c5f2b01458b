/** Money is whole cents; `bigint` columns arrive as numbers. */
import type { Output } from "../api/contract.ts";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
  education: string | null;
  location: string | null;
  phone: string | null;
  linkedin: string | null;
  created_at: Date;
  disabled_at: Date | null;
  /** deleted by its owner; only the number remains */
  deleted_at: Date | null;
}

export interface ProductRow {
  id: string;
  name: string;
  picture: string;
  price_cents: number;
  quantity: number;
  minimum_order: number;
  order_multiple: number;
  price_breaks: { quantity: number; price_cents: number }[];
  reorder_point: number;
  description: string;
  item_number: string | null;
  category: string | null;
  key_fact: string | null;
  power_source: string | null;
  technical_data: { name: string; value: string }[] | null;
  drawn_box: [number, number, number, number] | null;
  dimensions: { width: number; height: number } | null;
  version: number;
  created_at: Date;
  archived_at: Date | null;
}

export type PurchaseStatus = "unpaid" | "paid" | "shipped";

export interface OrderRow {
  id: string;
  /** shown to users; never reused */
  number: number;
  user_id: string;
  po_number: string;
  contact: string;
  note: string;
  placed_at: Date;
}

/** What its buyer wrote, and its number. */
export type OrderHeaderRow = Omit<OrderRow, "id" | "user_id" | "placed_at">;

export interface PurchaseRow {
  id: string;
  order_id: string;
  line_number: number;
  /** equals `quantity` exactly when the status is `shipped` */
  shipped_pieces: number;
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
  /** null if it was placed before migration 0088 */
  list_price_cents: number | null;
  total_cents: number;
  status: PurchaseStatus;
  transaction_id: string | null;
  placed_at: Date;
  paid_at: Date | null;
  shipped_at: Date | null;
  cancelled_at: Date | null;
  cancelled_by: string | null;
  cancelled_because: "buyer" | "admin" | "expired" | null;
  refunded_cents: number;
  returned_at: Date | null;
  /** since when a refund restocks its items, pending or completed */
  restock_at: Date | null;
  /** of the digest in the audit log; deleted together with name and address */
  ship_to_salt: string | null;
  disputed_at: Date | null;
  reminded_at: Date | null;
  payments_opened: number;
  /** the mode of the payment that paid it */
  paid_mode: PaymentMode | null;
}

type PaymentMode = "sandbox" | "test" | "live";

export interface EventRow {
  id: string;
  at: Date;
  who: string | null;
  role: "user" | "admin" | "system";
  what: string;
  subject: Output<"listHistory">["events"][number]["subject"];
  subject_id: string;
  purchase_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  agent: string | null;
}
