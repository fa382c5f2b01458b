/** The editable columns of the grid, as texts of a product's draft. */
import { toCents } from "../../../../shop/money.ts";
import { readNumber } from "../read-number.ts";
import type { ProductDraft } from "./product-draft.ts";

export const gridCells = [
  { name: "name", heading: "Tool" },
  { name: "itemNumber", heading: "Item number" },
  { name: "category", heading: "Category" },
  { name: "price", heading: "Price", numeric: true },
  { name: "quantity", heading: "Stock", numeric: true },
  { name: "reorderPoint", heading: "Reorder at", numeric: true },
  { name: "minimum_order", heading: "Minimum", numeric: true },
  { name: "order_multiple", heading: "Multiple", numeric: true },
  { name: "price_breaks", heading: "Price breaks" },
  { name: "archived", heading: "Archived" },
] as const;

export type CellName = (typeof gridCells)[number]["name"];

export const headingOf = (name: CellName) => gridCells.find((cell) => cell.name === name)?.heading ?? name;

export function textOf(draft: ProductDraft, name: CellName): string {
  if (name !== "price_breaks") return draft[name];
  return draft.price_breaks.map(({ quantity, price }) => `${quantity}=${price}`).join("; ");
}

/** The draft with a typed or pasted text; "119" as a price is "119.00". */
export function withText(draft: ProductDraft, name: CellName, text: string): ProductDraft {
  if (name === "archived") return { ...draft, archived: normalizeArchived(text.trim()) };
  if (name === "price") return { ...draft, price: normalizePrice(text) };
  if (name === "reorderPoint") return { ...draft, reorderPoint: normalizeText(name, text) || "0" };
  // the API refuses line breaks
  if (name !== "price_breaks")
    return { ...draft, [name]: normalizeText(name, text.replace(/\p{Cc}+/gu, " ")) };
  const parts = text.split(/[;\r\n]/).filter((part) => part.trim() !== "");
  return {
    ...draft,
    price_breaks: parts.map((part) => {
      const [quantity = "", ...prices] = part.split(/[=:]/).map((text) => text.trim());
      return { quantity: normalizeText("quantity", quantity), price: normalizePrice(prices.join("=")) };
    }),
  };
}

/** Any other text is kept, so that validation refuses it. */
function normalizeArchived(text: string): string {
  if (/^(yes|y|true|1|x|archived)$/i.test(text)) return "yes";
  return /^(no|n|false|0|)$/i.test(text) ? "" : text;
}

function normalizePrice(text: string): string {
  const price = readNumber(text);
  // more decimals are kept, so that validation refuses them
  return price === undefined || toCents(price) === null ? text.trim() : price.toFixed(2);
}

function normalizeText(name: CellName, text: string): string {
  const isNumeric = gridCells.some((cell) => cell.name === name && "numeric" in cell);
  const value = readNumber(text);
  return isNumeric && value !== undefined && !Number.isNaN(value) ? String(value) : text.trim();
}
