import { cardByNumber, type Decline, type TestCard } from "./cards.ts";
import type { NewMethod } from "./params.ts";

export interface CheckedCard {
  testCard: TestCard;
  last4: string;
  expMonth: number;
  expYear: number;
  cvcGiven: boolean;
}

const liveCard: Decline = {
  code: "card_declined",
  decline_code: "test_mode_live_card",
  message:
    "Your card was declined. Your request was in test mode, but used a non test (live) card. " +
    "For a list of valid test cards, visit: https://stripe.com/docs/testing.",
};

/** Returns the test card, or why the details are refused. The number is not stored. */
export function checkCard(input: NewMethod["card"], now: Date): { card: CheckedCard } | { refused: Decline } {
  const number = input.number.replaceAll(/[ -]/g, "");
  const testCard = cardByNumber(number);
  if (!testCard) return { refused: refusalOfNumber(number) };
  const expYear = input.exp_year < 100 ? 2000 + input.exp_year : input.exp_year;
  const refused = refusalOfExpiry(input.exp_month, expYear, now) ?? refusalOfCvc(testCard.brand, input.cvc);
  if (refused) return { refused };
  const cvcGiven = input.cvc !== undefined;
  return { card: { testCard, last4: number.slice(-4), expMonth: input.exp_month, expYear, cvcGiven } };
}

function refusalOfNumber(number: string): Decline {
  if (!/^\d{12,19}$/.test(number)) {
    return {
      code: "invalid_number",
      param: "number",
      message: "The card number is not a valid credit card number.",
    };
  }
  if (!passesLuhn(number)) {
    return { code: "incorrect_number", param: "number", message: "Your card number is incorrect." };
  }
  return liveCard;
}

function refusalOfExpiry(month: number, year: number, now: Date): Decline | null {
  const invalidMonth = {
    code: "invalid_expiry_month",
    param: "exp_month",
    message: "Your card's expiration month is invalid.",
  };
  const thisYear = now.getUTCFullYear();
  if (month < 1 || month > 12) return invalidMonth;
  if (year < thisYear || year > thisYear + 50) {
    return {
      code: "invalid_expiry_year",
      param: "exp_year",
      message: "Your card's expiration year is invalid.",
    };
  }
  return year === thisYear && month < now.getUTCMonth() + 1 ? invalidMonth : null;
}

function refusalOfCvc(brand: string, cvc: string | undefined): Decline | null {
  if (cvc === undefined || (brand === "amex" ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) return null;
  return { code: "invalid_cvc", param: "cvc", message: "Your card's security code is invalid." };
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const doubled = index % 2 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
