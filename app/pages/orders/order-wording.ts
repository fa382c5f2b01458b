/** Descriptions of orders. */
import { count } from "../../components/format.ts";

const numberWords = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** "80 angle grinders". A name that cannot be pluralized is unchanged: "80 × SDS set 12", "2 × Pack and charger". */
export function formatPieces(quantity: number, name: string): string {
  const shown = count(quantity);
  if (/ (and|or|with|for|of) /.test(name)) return `${shown} × ${name}`;
  if (!/^\p{Lu}?[\p{Ll} -]+$/u.test(name) || !/\p{Ll}$/u.test(name)) return `${shown} × ${name}`;
  const noun = name.charAt(0).toLowerCase() + name.slice(1);
  return `${shown} ${quantity === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  if (/(s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** A PO number after "PO", which some companies write as a part of it. */
export function poLabel(poNumber: string): string {
  return /^po\b/i.test(poNumber) ? poNumber : `PO ${poNumber}`;
}

/** "Two" up to ten, then "11". */
export function numberWord(number: number): string {
  return numberWords[number] ?? count(number);
}

/** "Two orders are waiting for payment: $8,260.00."; `total` is formatted already. */
export function waitingForPayment(orders: number, total: string): string {
  if (orders === 0) return "No order is waiting for payment.";
  return `${numberWord(orders)} ${orders === 1 ? "order is" : "orders are"} waiting for payment: ${total}.`;
}
