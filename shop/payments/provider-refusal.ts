import { type Refusal, refuse } from "../refusal.ts";
import { paymentRefusals } from "../texts/payment-refusals.ts";
import { PaymentMisconfigured, PaymentUnavailable } from "./provider-errors.ts";

/** Rethrows errors other than an unavailable or misconfigured provider. */
export function providerRefusal(error: unknown): Refusal {
  if (error instanceof PaymentMisconfigured) return refuse("unavailable", paymentRefusals.paymentOutOfOrder);
  if (error instanceof PaymentUnavailable) return refuse("unavailable", paymentRefusals.paymentProviderDown);
  throw error;
}
