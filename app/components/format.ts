/** How figures and texts are printed everywhere: dollars with two decimals, thousands with a comma. */

const dollarFormat = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const countFormat = new Intl.NumberFormat("en-US");

/** Dollars, for example 1554 as "$1,554.00". */
export function dollars(amount: number): string {
  return dollarFormat.format(amount);
}

/** A whole number, for example 1240 as "1,240". */
export function count(amount: number): string {
  return countFormat.format(amount);
}

/** The first 150 characters of a description and an ellipsis (specification, section 2); a shorter one unchanged. */
export function excerpt(description: string): string {
  const characters = Array.from(description);
  return characters.length <= 150 ? description : `${characters.slice(0, 150).join("")}...`;
}
