/** Errors that a `PaymentProvider` throws. */

/** The provider cannot be reached, or responded 5xx, 429 or "in use" after retries. The outcome is unknown. */
export class PaymentUnavailable extends Error {
  override name = "PaymentUnavailable";
}

/**
 * The provider responds, but rejects this store: the key is wrong, revoked or lacks a permission, or the account
 * cannot take such payments. Retrying does not help until the operator has fixed it; the message names the cause.
 */
export class PaymentMisconfigured extends PaymentUnavailable {
  override name = "PaymentMisconfigured";
}

/** The response is not what the provider documents: HTML, half a list, another payment. The outcome is unknown. */
export class PaymentUnexpected extends PaymentUnavailable {
  override name = "PaymentUnexpected";
}

/** A webhook with a valid signature whose body is not an event. */
export class MalformedEvent extends Error {
  override name = "MalformedEvent";
}

/** Why the provider rejects a refund, as far as the store has its own text for it. */
export type RefundRejection = "disputed" | "nothingLeft" | "tooMuch" | "noBalance" | "other";

/** The provider rejects the refund. The message is the provider's. */
export class RefundRejected extends Error {
  override name = "RefundRejected";
  readonly obstacle: RefundRejection;

  constructor(message: string, obstacle: RefundRejection, options?: ErrorOptions) {
    super(message, options);
    this.obstacle = obstacle;
  }
}
