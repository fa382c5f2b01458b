import type Stripe from "stripe";
import type { Caller } from "./access.ts";
import { type IntentRow, seconds } from "./rows.ts";

/** For the holder of the secret key. */
export function intentJson(row: IntentRow): Stripe.PaymentIntent {
  return {
    ...publicMembers(row),
    allowed_payment_method_types: ["card"],
    amount_capturable: 0,
    amount_received: row.amount_received_cents,
    application: null,
    application_fee_amount: null,
    customer: null,
    customer_account: null,
    excluded_payment_method_types: null,
    latest_charge: row.latest_charge_id,
    managed_payments: null,
    metadata: row.metadata,
    on_behalf_of: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    payment_record: null,
    review: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
  };
}

export function intentFor(caller: Caller, row: IntentRow): object {
  return caller === "secret" ? intentJson(row) : publicMembers(row);
}

/** For the holder of a client secret: no metadata, no charge. */
function publicMembers(row: IntentRow) {
  return {
    id: row.id,
    object: "payment_intent" as const,
    amount: row.amount_cents,
    amount_details: { tip: {} },
    automatic_payment_methods: null,
    canceled_at: row.canceled_at === null ? null : seconds(row.canceled_at),
    cancellation_reason: row.cancellation_reason,
    capture_method: "automatic_async" as const,
    client_secret: row.client_secret,
    confirmation_method: "automatic" as const,
    created: seconds(row.created_at),
    currency: row.currency,
    description: row.description,
    last_payment_error: row.last_payment_error as Stripe.PaymentIntent.LastPaymentError | null,
    livemode: false,
    next_action: row.status === "requires_action" ? challenge(row) : null,
    payment_method: row.payment_method_id,
    payment_method_configuration_details: null,
    payment_method_types: ["card"],
    processing: null,
    receipt_email: row.receipt_email,
    setup_future_usage: null,
    shipping: null,
    source: null,
    status: row.status,
  };
}

// The page responds with POST /3ds2/authenticate, source = three_d_secure_2_source.
function challenge(row: IntentRow): Stripe.PaymentIntent.NextAction {
  return {
    type: "use_stripe_sdk",
    use_stripe_sdk: {
      type: "stripe_3ds2_fingerprint",
      three_d_secure_2_source: row.id,
      three_ds_method_url: "",
    },
  };
}
