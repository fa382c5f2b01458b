import type Stripe from "stripe";
import { cardByToken } from "./cards.ts";
import { type ChargeRow, seconds } from "./rows.ts";

export function chargeJson(row: ChargeRow): Stripe.Charge {
  const paid = row.status === "succeeded";
  return {
    ...absent,
    id: row.id,
    object: "charge",
    amount: row.amount_cents,
    amount_captured: paid ? row.amount_cents : 0,
    amount_refunded: row.amount_refunded_cents,
    billing_details: { ...row.billing_details, tax_id: null },
    captured: paid,
    created: seconds(row.created_at),
    currency: row.currency,
    disputed: paid && cardByToken(row.card.token)?.dispute !== undefined,
    failure_code: row.failure_code,
    failure_message: row.failure_message,
    metadata: {},
    outcome: outcome(row),
    paid,
    payment_intent: row.payment_intent_id,
    payment_method: row.payment_method_id,
    payment_method_details: { type: "card", card: cardDetails(row) },
    refunded: paid && row.amount_refunded_cents === row.amount_cents,
    status: row.status,
  };
}

const absent = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: null,
  customer: null,
  description: null,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
};

function outcome(row: ChargeRow): Stripe.Charge.Outcome {
  const paid = row.status === "succeeded";
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: paid ? "approved_by_network" : "declined_by_network",
    reason: paid ? null : (row.decline_code ?? row.failure_code),
    risk_level: "normal",
    seller_message: paid ? "Payment complete." : row.failure_message,
    type: paid ? "authorized" : "issuer_declined",
  };
}

function cardDetails(row: ChargeRow): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: row.status === "succeeded" ? row.amount_cents : null,
    authorization_code: null,
    brand: row.card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
    country: "US",
    electronic_commerce_indicator: null,
    exp_month: row.card.exp_month,
    exp_year: row.card.exp_year,
    funding: cardByToken(row.card.token)?.funding ?? "unknown",
    installments: null,
    last4: row.card.last4,
    mandate: null,
    network: row.card.brand,
    network_transaction_id: null,
    regulated_status: "unregulated",
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}
