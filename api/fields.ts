/** The types of values in inputs. Texts are trimmed, well-formed Unicode without control characters. */
import { z } from "zod";
import { MAX_PIECES } from "../shop/cart/limits.ts";
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

/** One line of 1 to `max` characters; `required` is the message if it is missing or blank. */
export const line = (max: number, required: string) => text(max, required, control);

/** Several lines of 1 to `max` characters; `required` as in `line`. */
export const prose = (max: number, required: string) => text(max, required, controlButLineBreaks);

/** One line of up to `max` characters that may be blank; not trimmed. */
export const note = (max: number) =>
  z
    .string()
    .max(max, refusals.tooLong(max))
    .refine((value) => value.isWellFormed() && !control.test(value), refusals.unreadableText);

export const trimmed = (typed: string) => typed.trim();

/** Several lines of up to `max` characters that may be blank; control characters are refused. */
export const optionalProse = (max: number) =>
  z
    .string()
    .trim()
    .max(max, refusals.tooLong(max))
    .refine((value) => value.isWellFormed() && !controlButLineBreaks.test(value), refusals.unreadableText)
    .default("");

/** A list of these names. The error names the list, and not a position in it. */
export const listOf = <const Name extends string>(names: readonly Name[], refusal: string) => {
  const name = z.enum(names);
  return z
    .array(z.string())
    .refine((list) => list.every((one) => name.safeParse(one).success), refusal)
    .pipe(z.array(name));
};

/** Each is looked up. */
const MAX_SEARCH_WORDS = 10;

/** Search text, all of whose words must match; blank counts as missing. */
export const search = z
  .string()
  .trim()
  .max(100, refusals.tooLong(100))
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, refusals.unreadableText)
  .refine((words) => words.split(/\s+/).length <= MAX_SEARCH_WORDS, refusals.tooManyWords(MAX_SEARCH_WORDS))
  .optional();

export const MAX_EMAIL_LENGTH = 254;

/** The specification's pattern x@y.z (section 5), in linear time; lower-cased: emails are case-insensitive. */
export const email = line(MAX_EMAIL_LENGTH, messages.login.emailRequired)
  .regex(/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, messages.login.emailInvalid)
  .toLowerCase();

/** In lower case, as the database writes it: two ids are the same only if their texts are. */
export const id = z.uuid({ error: refusals.badId }).toLowerCase();

export const byId = z.object({ id });

/** Of an email in the outbox: when it was queued, in milliseconds, and its job. */
export const EMAIL_ID = /^(\d{1,16})-(\d{1,18})$/;

/** Dollars with at most two decimals, from 0.01 to the maximum of a card payment. */
export const amount = (required: string, tooLow: string, tooHigh: string) =>
  z
    .number({ error: required })
    .min(0.01, tooLow)
    .max(999_999.99, tooHigh)
    .refine((dollars) => toCents(dollars) !== null, refusals.tooManyDecimals);

/** Dollars, sent to be compared with the store's own value; the client may have computed it in floating point. */
export const clientAmount = z.number({ error: refusals.numberRequired }).overwrite(roundFloatError);

export const payable = amount(refusals.numberRequired, refusals.atLeast(0.01), refusals.amountAboveCardLimit);

/** A whole number of pieces from `min` to `max`; `required` is the message if it is missing. */
export const pieces = (min: number, required: string, max = MAX_PIECES) =>
  z
    .number({ error: required })
    .int(refusals.wholeNumber)
    .min(min, refusals.atLeast(min))
    .max(max, refusals.atMost(max));

/** A URL (its scheme in lower case), or a path of this site. */
export const picture = line(2000, messages.product.pictureRequired)
  .overwrite(lowerCaseScheme)
  .refine(isPictureUrl, refusals.badPicture);

/** "HTTPS://example.com" is "https://example.com". */
export function lowerCaseScheme(url: string): string {
  return url.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
}

/** As the table's constraint (migration 0002). */
function isPictureUrl(url: string): boolean {
  if (/^\/(?![/\\])[^\s"'<>\\]+$/.test(url)) return true;
  return /^https?:\/\//.test(url) && URL.canParse(url);
}

/** The file of a form (server/http/upload.ts); in an idempotency digest, its name, size and hash. */
export interface UploadedFile {
  name: string;
  size: number;
  sha256: string;
  open: () => AsyncIterable<Buffer>;
}

export const uploadedFile = z.custom<UploadedFile>(
  (value) => typeof value === "object" && value !== null && "name" in value,
  refusals.fileRequired,
);

const NUMERAL = /^-?\d+(\.\d+)?(e\+?\d+)?$/i;

export const isNumeral = (text: string): boolean => NUMERAL.test(text);

/** A number, also as text, as in a query. Blank is not 0, nor are null, false and an empty list. */
export const numeral = <Of extends z.ZodType<number>>(of: Of) =>
  z.preprocess((given) => (typeof given === "string" && isNumeral(given) ? Number(given) : given), of);

/** Filters as they are for an export or a change of many: a blank one, as of an unset variable, would be all. */
export const notBlank = (filters: object, { addIssue }: z.core.$RefinementCtx): void => {
  for (const [name, value] of Object.entries(filters))
    if (value === "") addIssue({ code: "custom", path: [name], message: refusals.required });
};

const bom = z.stringbool().default(false);

export const exportQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  z.strictObject({ ...filters, bom }).superRefine(notBlank);

/** In queries. */
export const page = {
  limit: numeral(z.number().int().min(1).max(100)).default(25),
  cursor: z.string().max(1200).optional(),
};

/** In outputs. */
export const count = z.number().int();
export const cursors = { next: z.string().optional(), previous: z.string().optional() };
export const deleted = z.object({ deletedCount: count });
export const modified = z.object({ modifiedCount: count });
