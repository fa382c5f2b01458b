import type Stripe from "stripe";
import { cardByToken } from "./cards.ts";
import { type MethodRow, seconds } from "./rows.ts";

export function methodJson(row: MethodRow): Stripe.PaymentMethod {
  return {
    id: row.id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: { ...row.billing_details, tax_id: null },
    card: cardJson(row),
    created: seconds(row.created_at),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: row.metadata,
    type: "card",
  };
}

function cardJson(row: MethodRow): Stripe.PaymentMethod.Card {
  return {
    brand: row.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: row.cvc_given ? "unchecked" : null,
    },
    country: "US",
    display_brand: row.brand,
    exp_month: row.exp_month,
    exp_year: row.exp_year,
    funding: cardByToken(row.token)?.funding ?? "unknown",
    generated_from: null,
    last4: row.last4,
    networks: { available: [row.brand], preferred: null },
    regulated_status: "unregulated",
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}
