/** The formats of numbers and texts: dollars with two decimals, thousands with a comma. */

const dollarFormat = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const countFormat = new Intl.NumberFormat("en-US");

export function dollars(amount: number): string {
  return dollarFormat.format(amount);
}

export function count(amount: number): string {
  return countFormat.format(amount);
}

/** At most 150 characters of a description and an ellipsis (specification, section 2). */
export function excerpt(description: string): string {
  const characters = Array.from(description);
  return characters.length <= 150 ? description : `${characters.slice(0, 150).join("")}...`;
}
