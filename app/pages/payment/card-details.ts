/** A card while it is typed: grouping, brand, expiry and validation. Pure. */
import type { CardPart } from "./card-charger.ts";

export interface CardDetails {
  number: string;
  /** MM / YY */
  expiry: string;
  cvc: string;
}

interface Brand {
  name: string;
  pattern: RegExp;
  lengths: number[];
  groups: number[];
  cvc: number;
}

const unknownBrand: Brand = { name: "", pattern: /^/, lengths: [16, 19], groups: [4, 4, 4, 4, 3], cvc: 3 };
const brands: Brand[] = [
  { ...unknownBrand, name: "Visa", pattern: /^4/, lengths: [16] },
  {
    ...unknownBrand,
    name: "Mastercard",
    pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
  },
  { name: "American Express", pattern: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvc: 4 },
  { ...unknownBrand, name: "Discover", pattern: /^(6011|64[4-9]|65)/, lengths: [16] },
  {
    ...unknownBrand,
    name: "Diners Club",
    pattern: /^(30[0-5]|309|36|38|39)/,
    lengths: [14, 16],
    groups: [4, 4, 4, 4],
  },
  { ...unknownBrand, name: "JCB", pattern: /^35(2[89]|[3-8])/, lengths: [16] },
  { ...unknownBrand, name: "UnionPay", pattern: /^62/, lengths: [16, 17, 18, 19] },
];

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

export function brandOf(number: string): Brand {
  const digits = digitsOf(number);
  return brands.find((brand) => brand.pattern.test(digits)) ?? unknownBrand;
}

/** Digits in the groups of the brand, truncated to its length. */
export function groupNumber(text: string): string {
  const brand = brandOf(text);
  let rest = digitsOf(text).slice(0, Math.max(...brand.lengths));
  const parts: string[] = [];
  for (const size of brand.groups) {
    if (!rest) break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(" ");
}

/** "1229", "12/2029" and "12 / 29" all become "12 / 29". `before` is the previous text, to detect deleting. */
export function formatExpiry(text: string, before: string): string {
  const isDeleting = text.length < before.length;
  const withFullYear = /^\s*(\d{1,2})\s*[/-]\s*20(\d{2})\s*$/.exec(text);
  let digits = withFullYear ? `${withFullYear[1]?.padStart(2, "0")}${withFullYear[2]}` : digitsOf(text);
  if (/^\d\s*\/$/.test(text.trim()) || /^[2-9]/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  if (isDeleting && digits.length <= 2) return digits;
  return digits.length >= 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** Month 1 to 12 and the full year; null while it is incomplete. */
export function expiryOf(text: string): { month: number; year: number } | null {
  const digits = digitsOf(text);
  return digits.length === 4
    ? { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) }
    : null;
}

/** The first problem, or null. The bank decides in the end. */
export function cardProblem(card: CardDetails, now: Date): { part: CardPart; message: string } | null {
  const number = digitsOf(card.number);
  const brand = brandOf(number);
  if (!brand.lengths.includes(number.length))
    return { part: "number", message: "Your card number is incomplete." };
  if (!passesLuhn(number)) return { part: "number", message: "Your card number is invalid." };
  const expiry = expiryOf(card.expiry);
  if (!expiry) return { part: "expiry", message: "Your card's expiration date is incomplete." };
  if (expiry.month < 1 || expiry.month > 12)
    return { part: "expiry", message: "Your card's expiration date is invalid." };
  if (expiry.year * 12 + expiry.month < now.getFullYear() * 12 + now.getMonth() + 1)
    return { part: "expiry", message: "Your card's expiration date is in the past." };
  if (card.cvc.length !== brand.cvc)
    return { part: "cvc", message: "Your card's security code is incomplete." };
  return null;
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
