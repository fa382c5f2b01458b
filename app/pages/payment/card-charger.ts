/** What the payment page asks of either way to charge a card: the provider's page library or the sandbox. */

export interface Billing {
  name: string;
  email: string;
}

/**
 * `charged`: the provider says that the payment succeeded. `declined`: the card was refused, in the provider's words;
 * `part` names the cell to correct. `processing`: the bank takes its time, and nobody must pay again. `unknown`: no
 * answer came, so the card may or may not have been charged; asking again is safe, for a payment that succeeded is
 * found and not made twice.
 */
export type Charge =
  | { outcome: "charged"; transactionId: string }
  | { outcome: "declined"; message: string; part?: CardPart | undefined }
  | { outcome: "processing"; transactionId: string }
  | { outcome: "unknown"; message: string };

export type CardPart = "number" | "expiry" | "cvc";

export interface CardCharger {
  /** Why the card cannot be tried yet, or null. Shows it at its cell and moves the focus there. */
  check: () => string | null | Promise<string | null>;
  /** Charges the card for the payment that this secret opens; one that already succeeded is not charged again. */
  charge: (clientSecret: string, billing: Billing) => Promise<Charge>;
}

export const unreachable: Charge = {
  outcome: "unknown",
  message:
    "The payment provider did not respond. Try again: if your card was already charged, it is not charged twice.",
};
