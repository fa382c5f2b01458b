export const intentStatuses = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "processing",
  "requires_capture",
  "canceled",
  "succeeded",
] as const;

export interface Intent {
  id: string;
  /** empty if the provider does not return it */
  clientSecret: string;
  /** `unknown`: a state that this version of the store does not know */
  status: (typeof intentStatuses)[number] | "unknown";
  amountCents: number;
  amountReceivedCents: number;
  currency: string;
  purchaseId: string | null;
}

export interface WebhookEvent {
  type: string;
  intentId: string | null;
}

export interface Refund {
  id: string;
  /** `failed`: rejected by the bank, possibly after it succeeded, or canceled; the store has the money again */
  status: "succeeded" | "pending" | "failed";
  /** why it failed, as the provider's code, such as `expired_or_canceled_card` */
  failure: string | null;
  amountCents: number;
  /** the store's refund; null if it was created elsewhere */
  reference: string | null;
}

/** `won`: the store keeps the money */
export interface Dispute {
  id: string;
  /** null if the dispute concerns something else */
  intentId: string | null;
  amountCents: number;
  reason: string;
  outcome: "open" | "won" | "lost";
}

/** `id` is null in the sandbox, and if the keys may not read it. */
export interface Account {
  mode: "sandbox" | "test" | "live";
  id: string | null;
}

export interface PaymentProvider {
  /** Never throws; the result is cached. */
  account(): Promise<Account>;
  /** 50 to 99,999,999 cents. The purchase and the email are in its metadata. */
  createIntent(input: {
    amountCents: number;
    currency: "usd";
    purchaseId: string;
    email: string;
    idempotencyKey: string;
  }): Promise<Intent>;
  findIntent(id: string): Promise<Intent | null>;
  /** Returns the canceled intent, or its final state, such as succeeded. Null as in `findIntent`. */
  cancelIntent(id: string): Promise<Intent | null>;
  /** Without an amount refunds what is left, or returns the last refund. Throws `RefundRejected` if it is more. */
  refund(input: {
    intentId: string;
    amountCents?: number;
    reason: string;
    reference?: string;
    idempotencyKey: string;
  }): Promise<Refund>;
  /** All intents created since then, newest first: for reconciliation. */
  intentsSince(since: Date): AsyncIterable<Intent>;
  refundsOf(intentId: string): AsyncIterable<Refund>;
  disputesOf(intentId: string): AsyncIterable<Dispute>;
  /** All disputes created since then, newest first: for reconciliation. */
  disputesSince(since: Date): AsyncIterable<Dispute>;
  /** Null if the signature is invalid or old. Throws `MalformedEvent` if the body is not an event. */
  readWebhook(rawBody: Buffer, signatureHeader: string): WebhookEvent | null;
}
