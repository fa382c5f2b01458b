/** What may come back from the payment processor instead of an answer, in the store's words. */
import Stripe from "stripe";

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

/** Why money does not go back, as far as the store has words of its own for it. */
export type RefundObstacle = "disputed" | "nothingLeft" | "tooMuch" | "noBalance" | "other";

/** The processor will not give this back. The message says why in its own words. */
export class RefundRefused extends Error {
  override name = "RefundRefused";
  readonly obstacle: RefundObstacle;

  constructor(message: string, obstacle: RefundObstacle, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}

/** The processor's error as ours; what is no error of the processor's stays as it is. */
export function troubleOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const Trouble = isPassing(error) ? PaymentUnavailable : PaymentMisconfigured;
  return new Trouble(wordsFor(error), { cause: error });
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
