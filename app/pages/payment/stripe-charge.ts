import type { Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { type Billing, type Charge, toCharge, unreachable } from "./card-charger.ts";

/** Charges the card or wallet in the provider's own field; the provider shows 3-D Secure itself. */
export async function chargeWithStripe(
  stripe: Stripe,
  elements: StripeElements,
  clientSecret: string,
  billing: Billing,
): Promise<Charge> {
  const before = await stripe.retrievePaymentIntent(clientSecret);
  const already = before.paymentIntent && toCharge(before.paymentIntent);
  if (already) return already;
  const { name, email } = billing;
  const response = await stripe.confirmPayment({
    elements,
    clientSecret,
    redirect: "if_required",
    confirmParams: {
      // for a bank that redirects; the payment page then resumes
      return_url: window.location.href,
      payment_method_data: { billing_details: { name, email } },
    },
  });
  const intent = response.paymentIntent ?? response.error?.payment_intent;
  const charged = intent && toCharge(intent);
  if (charged) return charged;
  return response.error ? refused(stripe, clientSecret, response.error) : unreachable;
}

async function refused(stripe: Stripe, clientSecret: string, error: StripeError): Promise<Charge> {
  const aboutCard = error.type === "card_error" || error.type === "validation_error";
  if (aboutCard && error.message) return { outcome: "declined", message: error.message };
  // without a response the card may have been charged
  const after = await stripe.retrievePaymentIntent(clientSecret);
  const charged = after.paymentIntent && toCharge(after.paymentIntent);
  if (charged) return charged;
  return after.error || !error.message ? unreachable : { outcome: "declined", message: error.message };
}
