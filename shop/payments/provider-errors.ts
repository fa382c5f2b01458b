/** The provider cannot be reached, or responded 5xx, 429 or "in use" after retries. The outcome is unknown. */
export class PaymentUnavailable extends Error {
  override name = "PaymentUnavailable";
  /** the provider responded, and may repeat this response under the same idempotency key for a day */
  readonly isResponse: boolean;

  constructor(message: string, { isResponse = false, ...options }: PaymentErrorOptions = {}) {
    super(message, options);
    this.isResponse = isResponse;
  }
}

interface PaymentErrorOptions extends ErrorOptions {
  isResponse?: boolean;
}

/** The key is wrong or lacks a permission, or the account cannot take such payments: useless to retry. */
export class PaymentMisconfigured extends PaymentUnavailable {
  override name = "PaymentMisconfigured";
}

/** The response is not as documented: HTML, half a list, another payment. The outcome is unknown. */
export class PaymentUnexpected extends PaymentUnavailable {
  override name = "PaymentUnexpected";
}

/** A validly signed webhook whose body is not an event. */
export class MalformedEvent extends Error {
  override name = "MalformedEvent";
}

/** Reasons for which the store has its own text; `other`: the provider's message is shown. */
export type RefundRejection = "disputed" | "nothingLeft" | "tooMuch" | "noBalance" | "other";

/** The message is the provider's. */
export class RefundRejected extends Error {
  override name = "RefundRejected";
  readonly reason: RefundRejection;

  constructor(message: string, reason: RefundRejection, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
