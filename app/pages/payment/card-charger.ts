/** The common interface of both ways to charge a card: Stripe.js or the sandbox. */

export interface Billing {
  name: string;
  email: string;
}

/**
 * `charged`: the provider reports success. `declined`: the card was refused, with the provider's message; `part`
 * names the cell to correct. `processing`: the bank has not decided yet, and the buyer must not pay again. `unknown`:
 * no response, so the card may have been charged; a retry is safe, since a payment that succeeded is found first.
 */
export type Charge =
  | { outcome: "charged"; transactionId: string }
  | { outcome: "declined"; message: string; part?: CardPart | undefined }
  | { outcome: "processing"; transactionId: string }
  | { outcome: "unknown"; message: string };

export type CardPart = "number" | "expiry" | "cvc";

export interface CardCharger {
  /** Why the card cannot be charged yet, or null. Shows it at its cell and moves the focus there. */
  check: () => string | null | Promise<string | null>;
  /** Charges the card for the payment with this secret; one that already succeeded is not charged again. */
  charge: (clientSecret: string, billing: Billing) => Promise<Charge>;
}

export const noResponse = {
  outcome: "unknown",
  message:
    "The payment provider did not respond. Try again: if your card was already charged, it is not charged twice.",
} as const satisfies Charge;

/** Charged, or possibly charged. */
export function toCharge({ id, status }: { id: string; status: string }): Charge | null {
  if (status === "succeeded") return { outcome: "charged", transactionId: id };
  return status === "processing" ? { outcome: "processing", transactionId: id } : null;
}
