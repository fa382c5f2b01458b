/**
 * The kinds of values that calls take, with the limits that every call shares.
 * Texts are trimmed, well-formed Unicode without control characters, so that what the database and a mail
 * hold is what the person typed.
 */
import { z } from "zod";
import { MOST_PIECES } from "../shop/cart/limits.ts";
import { roundFloatError, toCents } from "../shop/money.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";

const control = /\p{Cc}/u;
const controlButLineBreaks = /(?![\n\t\r])\p{Cc}/u;

const text = (max: number, required: string, forbidden: RegExp) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(max, refusals.tooLong(max))
    .refine((value) => value.isWellFormed() && !forbidden.test(value), refusals.unreadableText);

/** One line of text from 1 to `max` characters; `required` is the message when it is missing or blank. */
export const line = (max: number, required: string) => text(max, required, control);

/** Text of several lines from 1 to `max` characters; `required` as in `line`. */
export const prose = (max: number, required: string) => text(max, required, controlButLineBreaks);

/** One line of up to `max` characters that may be blank, taken as it is. */
export const note = (max: number) =>
  z
    .string()
    .max(max, refusals.tooLong(max))
    .refine((value) => value.isWellFormed() && !control.test(value), refusals.unreadableText);

export const trimmed = (typed: string) => typed.trim();

/** Text of several lines of up to `max` characters that may be blank; control characters are refused. */
export const optionalProse = (max: number) =>
  z
    .string()
    .trim()
    .max(max, refusals.tooLong(max))
    .refine((value) => value.isWellFormed() && !controlButLineBreaks.test(value), refusals.unreadableText)
    .default("");

/** What is typed into a search field; blank is nothing. */
export const search = z
  .string()
  .trim()
  .max(100, refusals.tooLong(100))
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, refusals.unreadableText)
  .optional();

export const LONGEST_EMAIL = 254;

/** The specification's basic pattern x@y.z (section 5), in lower case: an address is one whatever its case. */
export const email = line(LONGEST_EMAIL, messages.login.emailRequired)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, messages.login.emailInvalid)
  .toLowerCase();

/** The identity of a record, as `_id` (a UUID). */
export const id = z.uuid({ error: refusals.badId });

/**
 * An amount in dollars with at most two decimals, from 0.01 to what one card payment can carry; the messages are for
 * one that is missing, too low and too high.
 */
export const amount = (required: string, tooLow: string, tooHigh: string) =>
  z
    .number({ error: required })
    .min(0.01, tooLow)
    .max(999_999.99, tooHigh)
    .refine((dollars) => toCents(dollars) !== null, refusals.tooManyDecimals);

/** An amount in dollars that the store knows itself, sent to be compared; the client may have computed it. */
export const clientAmount = z.number({ error: refusals.numberRequired }).overwrite(roundFloatError);

/** An amount that is paid or given back. */
export const payable = amount(refusals.numberRequired, refusals.atLeast(0.01), refusals.amountAboveCardLimit);

/** A whole number of pieces from `min` to `max`, a million by default; `required` when it is missing. */
export const pieces = (min: number, required: string, max = MOST_PIECES) =>
  z
    .number({ error: required })
    .int(refusals.wholeNumber)
    .min(min, refusals.atLeast(min))
    .max(max, refusals.atMost(max));

/** A picture: a web address (its scheme in lower case), or a path of this site. */
export const picture = line(2000, messages.product.pictureRequired)
  .overwrite((address) => address.replace(/^https?:/i, (scheme) => scheme.toLowerCase()))
  .refine(isPictureAddress, refusals.badPicture);

/** What the table takes too (migration 0002). */
function isPictureAddress(address: string): boolean {
  if (/^\/(?![/\\])[^\s"'<>\\]+$/.test(address)) return true;
  return /^https?:\/\//.test(address) && URL.canParse(address);
}

/** The file of a form (server/http/upload.ts); as JSON, its name, size and digest. */
export interface UploadedFile {
  /** as the sender named it */
  name: string;
  size: number;
  sha256: string;
  /** its bytes */
  open: () => AsyncIterable<Buffer>;
}

export const uploadedFile = z.custom<UploadedFile>(
  (value) => typeof value === "object" && value !== null && "name" in value,
  refusals.fileRequired,
);
