import type Stripe from "stripe";
import { type DisputeRow, seconds } from "./rows.ts";

const RESPOND_WITHIN_SECONDS = 7 * 86_400;

export function disputeJson(row: DisputeRow): Stripe.Dispute {
  const hasResponse = row.status !== "needs_response";
  return {
    id: row.id,
    object: "dispute",
    amount: row.amount_cents,
    balance_transactions: [],
    charge: row.charge_id,
    created: seconds(row.created_at),
    currency: row.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: hasResponse ? null : seconds(row.created_at) + RESPOND_WITHIN_SECONDS,
      enhanced_eligibility: {},
      has_evidence: hasResponse,
      past_due: false,
      submission_count: hasResponse ? 1 : 0,
      submission_method: hasResponse ? "manual" : "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: row.payment_intent_id,
    reason: row.reason,
    status: row.status,
  };
}

// the sandbox stores no evidence
const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
