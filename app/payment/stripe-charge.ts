import { type Billing, type Charge, unreachable } from "./charge.ts";
import type { CardElement, StripeError, StripeIntent, StripeJs } from "./stripe-js.ts";

/** Charges the card in the provider's own field; the provider asks the bank's question itself. */
export async function chargeWithStripe(
  stripe: StripeJs,
  card: CardElement,
  clientSecret: string,
  billing: Billing,
): Promise<Charge> {
  const before = await stripe.retrievePaymentIntent(clientSecret);
  if (before.paymentIntent?.status === "succeeded") return charged(before.paymentIntent);
  const { name, email } = billing;
  const answer = await stripe.confirmCardPayment(clientSecret, {
    payment_method: { card, billing_details: { name, email } },
  });
  const intent = answer.paymentIntent ?? answer.error?.payment_intent;
  if (intent?.status === "succeeded") return charged(intent);
  return answer.error ? refused(stripe, clientSecret, answer.error) : unreachable;
}

async function refused(stripe: StripeJs, clientSecret: string, error: StripeError): Promise<Charge> {
  const aboutCard = error.type === "card_error" || error.type === "validation_error";
  if (aboutCard && error.message) return { outcome: "declined", message: error.message };
  // no answer does not mean no charge
  const after = await stripe.retrievePaymentIntent(clientSecret);
  if (after.paymentIntent?.status === "succeeded") return charged(after.paymentIntent);
  return after.error || !error.message ? unreachable : { outcome: "declined", message: error.message };
}

function charged(intent: StripeIntent): Charge {
  return { outcome: "charged", transactionId: intent.id };
}
