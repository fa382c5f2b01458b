/** Ids that look like Stripe's: a prefix and random letters and digits. */
import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `newId("pi")` gives `pi_` and 24 characters (140 random bits). */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

export function looksLikeId(text: string): boolean {
  return /^[A-Za-z0-9_]{1,100}$/.test(text);
}
