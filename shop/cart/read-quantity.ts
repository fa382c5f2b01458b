/** Digits in groups of three, with one separator: a comma, an apostrophe, or a space of any width. */
const grouped = /^\d{1,3}(?:([, '’\u00a0\u2009\u202f])\d{3})(?:\1\d{3})*$/;

/** Null if `typed` is not a number. A point is a decimal point: "1.200" is ambiguous, and not a whole number. */
export function readQuantity(typed: string | number): number | null {
  if (typeof typed === "number") return Number.isFinite(typed) ? typed : null;
  const text = typed.trim();
  if (grouped.test(text)) return Number(text.replace(/\D/g, ""));
  if (/^\d+\.\d{3}$/.test(text)) return null;
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
