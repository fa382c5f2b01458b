/** Stripe's published test cards and their outcomes. No other number is accepted. */

/** In Stripe's wording. */
export interface Decline {
  code: string;
  message: string;
  decline_code?: string;
  param?: string;
}

const declines = {
  generic: { code: "card_declined", decline_code: "generic_decline", message: "Your card was declined." },
  insufficientFunds: {
    code: "card_declined",
    decline_code: "insufficient_funds",
    message: "Your card has insufficient funds.",
  },
  lost: { code: "card_declined", decline_code: "lost_card", message: "Your card was declined." },
  stolen: { code: "card_declined", decline_code: "stolen_card", message: "Your card was declined." },
  velocityExceeded: {
    code: "card_declined",
    decline_code: "card_velocity_exceeded",
    message:
      "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.",
  },
  expired: { code: "expired_card", param: "exp_month", message: "Your card has expired." },
  incorrectCvc: { code: "incorrect_cvc", param: "cvc", message: "Your card's security code is incorrect." },
  processingError: {
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
} satisfies Record<string, Decline>;

/** `processing`: the bank decides later. `refundFailsLater`: the bank accepts a refund, which fails later. */
export interface TestCard {
  token: string;
  brand: string;
  funding: "credit" | "debit" | "prepaid";
  challenge?: true;
  processing?: true;
  decline?: Decline;
  dispute?: "fraudulent" | "product_not_received";
  refundFailsLater?: true;
}

type Outcome = Omit<TestCard, "token" | "brand" | "funding">;

function card(token: string, brand: string, outcome: Outcome = {}): TestCard {
  const funding = token.endsWith("_debit") ? "debit" : token.endsWith("_prepaid") ? "prepaid" : "credit";
  return { token, brand, funding, ...outcome };
}

const byNumber = new Map<string, TestCard>([
  ["4242424242424242", card("visa", "visa")],
  ["4000056655665556", card("visa_debit", "visa")],
  ["4000000000000077", card("bypassPending", "visa")],
  ["5555555555554444", card("mastercard", "mastercard")],
  ["2223003122003222", card("mastercard_2series", "mastercard")],
  ["5200828282828210", card("mastercard_debit", "mastercard")],
  ["5105105105105100", card("mastercard_prepaid", "mastercard")],
  ["378282246310005", card("amex", "amex")],
  ["371449635398431", card("amex_second", "amex")],
  ["6011111111111117", card("discover", "discover")],
  ["6011000990139424", card("discover_second", "discover")],
  ["6011981111111113", card("discover_debit", "discover")],
  ["3056930009020004", card("diners", "diners")],
  ["36227206271667", card("diners_14", "diners")],
  ["3566002020360505", card("jcb", "jcb")],
  ["6200000000000005", card("unionpay", "unionpay")],
  ["6200000000000047", card("unionpay_debit", "unionpay")],
  ["6205500000000000004", card("unionpay_19", "unionpay")],
  ["4000000000000002", card("visa_chargeDeclined", "visa", { decline: declines.generic })],
  [
    "4000000000009995",
    card("visa_chargeDeclinedInsufficientFunds", "visa", { decline: declines.insufficientFunds }),
  ],
  ["4000000000009987", card("visa_chargeDeclinedLostCard", "visa", { decline: declines.lost })],
  ["4000000000009979", card("visa_chargeDeclinedStolenCard", "visa", { decline: declines.stolen })],
  [
    "4000000000006975",
    card("visa_chargeDeclinedVelocityLimitExceeded", "visa", { decline: declines.velocityExceeded }),
  ],
  ["4000000000000069", card("chargeDeclinedExpiredCard", "visa", { decline: declines.expired })],
  ["4000000000000127", card("chargeDeclinedIncorrectCvc", "visa", { decline: declines.incorrectCvc })],
  ["4000000000000119", card("chargeDeclinedProcessingError", "visa", { decline: declines.processingError })],
  ["4000002500003155", card("authenticationRequired", "visa", { challenge: true })],
  ["4000002760003184", card("authenticationRequiredAlways", "visa", { challenge: true })],
  ["4000000000003220", card("threeDSecure2Required", "visa", { challenge: true })],
  [
    "4000008400001629",
    card("threeDSecureRequiredChargeDeclined", "visa", { challenge: true, decline: declines.generic }),
  ],
  [
    "4000008260003178",
    card("authenticationRequiredChargeDeclinedInsufficientFunds", "visa", {
      challenge: true,
      decline: declines.insufficientFunds,
    }),
  ],
  ["4000000000000259", card("createDispute", "visa", { dispute: "fraudulent" })],
  ["4000000000002685", card("createDisputeProductNotReceived", "visa", { dispute: "product_not_received" })],
  ["4000000000005126", card("refundFail", "visa", { refundFailsLater: true })],
  // only in the sandbox: Stripe has no card that stays in processing
  ["4000000000008880", card("processing", "visa", { processing: true })],
  ["4000000000008872", card("processingDeclined", "visa", { processing: true, decline: declines.generic })],
]);

const byToken = new Map(
  [...byNumber].map(([number, testCard]) => [testCard.token, { ...testCard, last4: number.slice(-4) }]),
);

export function cardByNumber(number: string): TestCard | undefined {
  return byNumber.get(number);
}

export function cardByToken(token: string): (TestCard & { last4: string }) | undefined {
  return byToken.get(token);
}

export const tokensWithFailingRefunds = [...byToken.values()]
  .filter(({ refundFailsLater }) => refundFailsLater)
  .map(({ token }) => token);
