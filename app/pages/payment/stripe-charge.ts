import type { PaymentIntent, Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { type Billing, type Charge, unreachable } from "./card-charger.ts";

/**
 * Charges what was given in the provider's own field, a card or a wallet that holds one; the provider asks the
 * bank's question itself.
 */
export async function chargeWithStripe(
  stripe: Stripe,
  elements: StripeElements,
  clientSecret: string,
  billing: Billing,
): Promise<Charge> {
  const before = await stripe.retrievePaymentIntent(clientSecret);
  const already = endedWell(before.paymentIntent);
  if (already) return already;
  const { name, email } = billing;
  const answer = await stripe.confirmPayment({
    elements,
    clientSecret,
    redirect: "if_required",
    confirmParams: {
      // for a bank that insists on a page of its own; the payment page knows the order again
      return_url: window.location.href,
      payment_method_data: { billing_details: { name, email } },
    },
  });
  const well = endedWell(answer.paymentIntent ?? answer.error?.payment_intent);
  if (well) return well;
  return answer.error ? refused(stripe, clientSecret, answer.error) : unreachable;
}

async function refused(stripe: Stripe, clientSecret: string, error: StripeError): Promise<Charge> {
  const aboutCard = error.type === "card_error" || error.type === "validation_error";
  if (aboutCard && error.message) return { outcome: "declined", message: error.message };
  // no answer does not mean no charge
  const after = await stripe.retrievePaymentIntent(clientSecret);
  const well = endedWell(after.paymentIntent);
  if (well) return well;
  return after.error || !error.message ? unreachable : { outcome: "declined", message: error.message };
}

/** Charged, or about to be as far as anybody knows. */
function endedWell(intent: PaymentIntent | undefined): Charge | null {
  if (intent?.status === "succeeded") return { outcome: "charged", transactionId: intent.id };
  return intent?.status === "processing" ? { outcome: "processing", transactionId: intent.id } : null;
}
