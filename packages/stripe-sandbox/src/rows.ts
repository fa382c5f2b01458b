/** The rows of the schema `sandbox`, as PostgreSQL returns them and as an event's snapshot has them as JSON. */

/** A `Date` from a query, ISO text from a snapshot. */
export type Instant = Date | string;

export interface BillingDetails {
  name: string | null;
  email: string | null;
  phone: string | null;
  address: Record<"city" | "country" | "line1" | "line2" | "postal_code" | "state", string | null>;
}

export interface MethodRow {
  id: string;
  token: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  cvc_given: boolean;
  billing_details: BillingDetails;
  metadata: Record<string, string>;
  created_at: Instant;
}

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "canceled"
  | "succeeded";

export interface IntentRow {
  id: string;
  client_secret: string;
  amount_cents: number;
  amount_received_cents: number;
  currency: string;
  status: IntentStatus;
  payment_method_id: string | null;
  latest_charge_id: string | null;
  last_payment_error: object | null;
  description: string | null;
  receipt_email: string | null;
  metadata: Record<string, string>;
  cancellation_reason: string | null;
  canceled_at: Instant | null;
  processing_at: Instant | null;
  created_at: Instant;
}

export interface ChargeRow {
  id: string;
  payment_intent_id: string;
  payment_method_id: string;
  amount_cents: number;
  amount_refunded_cents: number;
  currency: string;
  status: "succeeded" | "failed";
  failure_code: string | null;
  failure_message: string | null;
  decline_code: string | null;
  card: Pick<MethodRow, "brand" | "last4" | "exp_month" | "exp_year" | "token">;
  billing_details: BillingDetails;
  created_at: Instant;
}

export interface RefundRow {
  id: string;
  charge_id: string;
  payment_intent_id: string;
  amount_cents: number;
  currency: string;
  reason: string | null;
  metadata: Record<string, string>;
  failed_at: Instant | null;
  created_at: Instant;
}

export interface DisputeRow {
  id: string;
  charge_id: string;
  payment_intent_id: string;
  amount_cents: number;
  currency: string;
  reason: string;
  status: "needs_response" | "won" | "lost";
  created_at: Instant;
}

export interface EventRow {
  id: string;
  type: string;
  snapshot: Record<string, unknown>;
  attempts: number;
  created_at: Instant;
}

/** Seconds since 1970, as in all of Stripe's timestamps. */
export function seconds(at: Instant): number {
  return Math.floor(new Date(at).getTime() / 1000);
}
