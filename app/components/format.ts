/** The formats of numbers and texts. */
import { cachedFormat } from "./locale.ts";

/** With Latin digits in every locale. */
export function numberFormat(options: Intl.NumberFormatOptions): (amount: number) => string {
  const format = cachedFormat(
    (locale) => new Intl.NumberFormat(locale, { ...options, numberingSystem: "latn" }),
  );
  return (amount) => format().format(amount);
}

export const dollars = numberFormat({ style: "currency", currency: "USD" });

export const count = numberFormat({});

/** "1 line", "1,200 lines". */
export function counted(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** At most 150 characters of a description and an ellipsis (specification, section 2). */
export function excerpt(description: string): string {
  const characters = Array.from(description);
  return characters.length <= 150 ? description : `${characters.slice(0, 150).join("")}...`;
}
