import Stripe from "stripe";
import { z } from "zod";
import {
  PaymentMisconfigured,
  PaymentUnavailable,
  PaymentUnexpected,
  RefundRejected,
} from "../../shop/payments/provider-errors.ts";

/** Includes anything that the library or the schemas of `read-stripe.ts` throw on an unexpected response. */
export function toPaymentError(error: unknown): Error {
  if (error instanceof PaymentUnavailable || error instanceof RefundRejected) return error;
  if (!(error instanceof Stripe.errors.StripeError) || !isDocumented(error)) return unexpected(error);
  const PaymentError = isTransient(error) ? PaymentUnavailable : PaymentMisconfigured;
  return new PaymentError(operatorMessage(error), {
    cause: error,
    isResponse: error.statusCode !== undefined,
  });
}

function unexpected(error: unknown): PaymentUnexpected {
  return new PaymentUnexpected(`Stripe responded unexpectedly: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether Stripe documents this error. The library decides by the status alone. */
export function isDocumented(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 500, rawType } = error; // connection errors have no status
  if (error instanceof Stripe.errors.StripeInvalidRequestError && rawType !== "invalid_request_error")
    return false;
  return statusCode >= 400;
}

function isTransient(error: Stripe.errors.StripeError): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return [StripeConnectionError, StripeAPIError, StripeRateLimitError].some((type) => error instanceof type);
}

/** Stripe never repeats a key in full. */
function operatorMessage(error: Stripe.errors.StripeError): string {
  const { StripeAuthenticationError, StripePermissionError, StripeConnectionError, StripeRateLimitError } =
    Stripe.errors;
  const reason = error.message;
  if (error instanceof StripeAuthenticationError) return `Stripe rejects STRIPE_SECRET_KEY: ${reason}`;
  if (error instanceof StripePermissionError) return `STRIPE_SECRET_KEY may not do what is needed: ${reason}`;
  if (error instanceof StripeConnectionError) return `Stripe cannot be reached: ${reason}`;
  if (error instanceof StripeRateLimitError) return `Stripe limits the requests: ${reason}`;
  if (isTransient(error)) return `Stripe fails: ${reason}`;
  return `Stripe rejects the request: ${reason}`;
}
