/** What may come back from the payment processor instead of an answer, in the store's words. */
import Stripe from "stripe";
import { z } from "zod";

/** The processor could not be reached, or answered 5xx, 429 or "in use" after retries. Nothing is known. */
export class PaymentUnavailable extends Error {
  override name = "PaymentUnavailable";
}

/**
 * The processor answers, but not to this store: the key is wrong or revoked, may not do this, or the account
 * cannot take such payments. Asking again helps only after its operator has mended it; the message says what.
 */
export class PaymentMisconfigured extends PaymentUnavailable {
  override name = "PaymentMisconfigured";
}

/** The processor answered, but not with what it documents: HTML, half a list, another payment. Nothing is known. */
export class PaymentUnexpected extends PaymentUnavailable {
  override name = "PaymentUnexpected";
}

/** A webhook with a valid signature and a body that is not an event. */
export class MalformedEvent extends Error {
  override name = "MalformedEvent";
}

/** Why money does not go back, as far as the store has words of its own for it. */
export type RefundRejection = "disputed" | "nothingLeft" | "tooMuch" | "noBalance" | "other";

/** The processor will not give this back. The message says why in its own words. */
export class RefundRejected extends Error {
  override name = "RefundRefused";
  readonly obstacle: RefundRejection;

  constructor(message: string, obstacle: RefundRejection, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/**
 * What a call to the processor failed with, in the store's words. Besides the library's own errors that is what the
 * library or the schemas of `read-stripe.ts` throw when they meet an answer of another shape.
 */
export function toPaymentError(error: unknown): Error {
  if (error instanceof PaymentUnavailable || error instanceof RefundRejected) return error;
  if (!(error instanceof Stripe.errors.StripeError) || !isDocumented(error)) return unexpected(error);
  const Trouble = isPassing(error) ? PaymentUnavailable : PaymentMisconfigured;
  return new Trouble(wordsFor(error), { cause: error });
}

function unexpected(error: unknown): PaymentUnexpected {
  return new PaymentUnexpected(`Stripe answers unexpectedly: ${whyUnexpected(error)}`, { cause: error });
}

function whyUnexpected(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return [issue?.path.join("."), issue?.message].filter(Boolean).join(": ");
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error is one that the processor documents. The library goes by the status alone. */
export function isDocumented(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 500, rawType } = error; // connection errors have no status
  if (error instanceof Stripe.errors.StripeInvalidRequestError && rawType !== "invalid_request_error")
    return false;
  return statusCode >= 400;
}

/** Whether the same question may be answered in a while, with nothing changed here. */
function isPassing(error: Stripe.errors.StripeError): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return [StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind);
}

/** For the operator. The processor never repeats a key in full. */
function wordsFor(error: Stripe.errors.StripeError): string {
  const { StripeAuthenticationError, StripePermissionError, StripeConnectionError, StripeRateLimitError } =
    Stripe.errors;
  const why = error.message;
  if (error instanceof StripeAuthenticationError) return `Stripe does not know STRIPE_SECRET_KEY: ${why}`;
  if (error instanceof StripePermissionError) return `STRIPE_SECRET_KEY may not do what is needed: ${why}`;
  if (error instanceof StripeConnectionError) return `Stripe cannot be reached: ${why}`;
  if (error instanceof StripeRateLimitError) return `Stripe is asked too often: ${why}`;
  if (isPassing(error)) return `Stripe fails: ${why}`;
  return `Stripe does not do what the store asks: ${why}`;
}
