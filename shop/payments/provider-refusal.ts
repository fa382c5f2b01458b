import { type Refusal, refuse } from "../refusal.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/**
 * What a person is told when the card provider gave no answer, or none to this store. Whatever they were about
 * to do was not done, and the order is as it was. Throws every other error again.
 */
export function providerRefusal(error: unknown): Refusal {
  if (error instanceof PaymentMisconfigured) return refuse("unavailable", paymentRefusals.paymentOutOfOrder);
  if (error instanceof PaymentUnavailable) return refuse("unavailable", paymentRefusals.paymentProviderDown);
  throw error;
}
