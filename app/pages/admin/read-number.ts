import { MAX_PIECES } from "../../../shop/cart/limits.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { count } from "../../components/format.ts";

/** An optional sign, digits that may be grouped by one kind of separator, and decimals. */
const NUMBER =
  /^(?<sign>[-+]?)(?<whole>\d*|\d{1,3}(?<separator>[.,'’ \u00a0\u2009\u202f])\d{3}(?:\k<separator>\d{3})*)(?:(?<decimalMark>[.,])(?<decimals>\d*))?$/;

/**
 * Reads "1240", "1,240", "$76.50" and "76,50". Undefined for blank. NaN if it is not a number or can mean two: "1.240"
 * is 1,240 for one person and 1.24 for another.
 */
export function readNumber(input: string): number | undefined {
  const text = input.replace(/^[\s$]+|[\s$]+$/g, "").replace("\u2212", "-");
  if (text === "") return undefined;
  const { sign = "", whole = "", separator, decimalMark, decimals = "" } = NUMBER.exec(text)?.groups ?? {};
  if (decimalMark && decimalMark === separator) return Number.NaN;
  if (decimalMark && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole))
    return decimalMark === "," && groupsWithCommas() ? Number(sign + whole + decimals) : Number.NaN;
  const digits = whole.replace(/\D/g, "");
  return digits + decimals === "" ? Number.NaN : Number(`${sign}${digits}.${decimals}`);
}

/** Why the input is not a number of pieces within these limits; undefined if it is. */
export function piecesProblem(input: string, min = 0, max = MAX_PIECES): string | undefined {
  const pieces = readNumber(input);
  if (pieces === undefined) return refusals.required;
  if (Number.isNaN(pieces)) return "Enter a whole number without separators, such as 1490.";
  if (!Number.isInteger(pieces)) return refusals.wholeNumber;
  if (pieces < min) return refusals.atLeast(min);
  return pieces > max ? refusals.atMost(max) : undefined;
}

function groupsWithCommas(): boolean {
  return count(12_345).includes(",");
}
