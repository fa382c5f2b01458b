import { type Refusal, refuse } from "../refusal.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/** Turns an unavailable or misconfigured provider into a refusal; nothing was changed. Rethrows every other error. */
export function providerRefusal(error: unknown): Refusal {
  if (error instanceof PaymentMisconfigured) return refuse("unavailable", paymentRefusals.paymentOutOfOrder);
  if (error instanceof PaymentUnavailable) return refuse("unavailable", paymentRefusals.paymentProviderDown);
  throw error;
}
