/** New identifiers, in the processor's look: a prefix and letters and digits that cannot be guessed. */
import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `newId("pi")` gives `pi_` and 24 characters (140 random bits). */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

/** Letters and digits only. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Whether a text from outside can be an identifier at all. */
export function looksLikeId(text: string): boolean {
  return /^[A-Za-z0-9_]{1,100}$/.test(text);
}
