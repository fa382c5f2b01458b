/** Card refunds succeed at once; some fail later. */
import type Stripe from "stripe";
import { type RefundRow, seconds } from "./rows.ts";

export function refundJson(row: RefundRow): Stripe.Refund {
  const failed = row.failed_at !== null;
  return {
    id: row.id,
    object: "refund",
    amount: row.amount_cents,
    balance_transaction: null,
    charge: row.charge_id,
    created: seconds(row.created_at),
    currency: row.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      type: "card",
      card: { type: "refund", reference_status: "pending", reference_type: "acquirer_reference_number" },
    },
    ...(failed && { failure_reason: "expired_or_canceled_card" }),
    metadata: row.metadata,
    payment_intent: row.payment_intent_id,
    payment_method: null,
    reason: row.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: failed ? "failed" : "succeeded",
    transfer_reversal: null,
  };
}
