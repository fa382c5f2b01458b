/** What the store asks of a payment processor, and what it is told. */

/** One attempt to be paid for one purchase. Money in integer cents. */
export interface Intent {
  id: string;
  /** empty where the processor keeps it to itself */
  clientSecret: string;
  status:
    | "requires_payment_method"
    | "requires_confirmation"
    | "requires_action"
    | "processing"
    | "requires_capture"
    | "canceled"
    | "succeeded"
    /** a state that this version of the store does not know */
    | "unknown";
  amountCents: number;
  amountReceivedCents: number;
  currency: string;
  purchaseId: string | null;
  metadata: Record<string, string>;
}

/** What the processor tells on its own; `intentId` is the payment that it is about. */
export interface WebhookEvent {
  type: string;
  intentId: string | null;
}

export interface Refund {
  id: string;
  /** `failed`: the bank did not take it, also after it was made, or it was withdrawn; the money is back at the store */
  status: "succeeded" | "pending" | "failed";
  /** why it failed, in the processor's word, such as `expired_or_canceled_card` */
  failure: string | null;
  amountCents: number;
  /** the store's own name for it; null when it was made elsewhere */
  reference: string | null;
}

/** A cardholder who had their bank take the money back; `won` is when the store may keep it after all. */
export interface Dispute {
  id: string;
  /** the payment that it is about; null when it is about something else */
  intentId: string | null;
  amountCents: number;
  /** in the processor's word, such as `fraudulent` */
  reason: string;
  outcome: "open" | "won" | "lost";
}

/** What the keys in use belong to; `id` is null where the provider does not say, and in the sandbox. */
export interface Account {
  mode: "sandbox" | "test" | "live";
  id: string | null;
}

export interface PaymentProvider {
  /** Never throws, and is quick: the answer is kept. */
  account(): Promise<Account>;
  /** Opens a payment of 50 to 99,999,999 cents. The purchase and the e-mail are in its metadata. */
  createIntent(i: {
    amountCents: number;
    currency: "usd";
    purchaseId: string;
    email: string;
    idempotencyKey: string;
  }): Promise<Intent>;
  /** Null when the processor does not know it. */
  findIntent(id: string): Promise<Intent | null>;
  /** The intent afterwards: canceled, or what it had become before, for example succeeded. Null as `findIntent`. */
  cancelIntent(id: string): Promise<Intent | null>;
  /**
   * Without an amount, all that is left, or the last refund when nothing is. Throws `RefundRejected` when the
   * amount is more than is left, or nothing was paid.
   */
  refund(i: {
    intentId: string;
    amountCents?: number;
    reason: string;
    reference?: string;
    idempotencyKey: string;
  }): Promise<Refund>;
  /** All intents made since then, newest first: for reconciliation. */
  intentsSince(since: Date): AsyncIterable<Intent>;
  /** All refunds of an intent, newest first. */
  refundsOf(intentId: string): AsyncIterable<Refund>;
  /** All disputes of an intent, newest first. */
  disputesOf(intentId: string): AsyncIterable<Dispute>;
  /** All disputes made since then, newest first: for reconciliation. */
  disputesSince(since: Date): AsyncIterable<Dispute>;
  /**
   * Null when the signature is forged, the body was changed or the event is older than 300 seconds. Throws
   * `MalformedEvent` when the signature is right and the body is not an event.
   */
  readWebhook(rawBody: Buffer, signatureHeader: string): WebhookEvent | null;
}
