import type { ProductRow } from "../../database/schema.ts";
import { fromCents, MAX_CENTS } from "../money.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import type { FileColumn, ImportedColumn } from "./column-names.ts";

/** A file cannot archive a product, nor put it back on sale. */
export type Column = FileColumn | "archived";

export interface ImportedProduct extends Pick<ProductRow, ImportedColumn> {
  archived: boolean;
}

/** The message names the column. */
export class UnreadableCell extends Error {}

// csv-stringify escapes these as formulas, also after apostrophes
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The inverse of `readText` and the CSV library's escaping. */
function writeText(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that keeps a spreadsheet from running a cell as a formula. */
export function readText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** A sign, or a code before or after a digit. */
const OTHER_CURRENCY = /\p{Sc}|^\s*[A-Z]{3}\s*[-\u2212]?\d|\d\s*[A-Z]{3}\s*$/iu;

/** In cents; "1490", "1490.00", "1490,00", "1,490.00", "1.490,00", "1 490" and "$1,490.00" are the same price. */
export function readPrice(cell: string, column: Column): number {
  const amount = cell.replace(/(?<!\p{L})(?:US ?\$|USD|\$)(?!\p{L})/giu, "");
  if (OTHER_CURRENCY.test(amount)) throw new UnreadableCell(importRefusals.otherCurrency(column, cell));
  const decimal = decimalOf(amount, column, cell, 2);
  const [whole = "", fraction = ""] = decimal.split(".");
  if (/[1-9]/.test(fraction.slice(2))) throw new UnreadableCell(importRefusals.tooManyDecimals(column, cell));
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, "0"));
  if (cents > MAX_CENTS) throw new UnreadableCell(`${column}: ${refusals.priceTooHigh}`);
  return cents;
}

/** "1,200" and "1.200" are refused, since they can also mean a decimal. */
export function readCount(cell: string, column: Column): number {
  const decimal = decimalOf(cell, column, cell, 0);
  const [whole = "", fraction = ""] = decimal.split(".");
  if (/[1-9]/.test(fraction)) throw new UnreadableCell(importRefusals.notWhole(column, cell));
  return Number(whole);
}

/** Thousands with a space of any width or an apostrophe; "12 34" is two numbers. */
const GROUPED = /^\d{1,3}([\s'])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/;

function decimalOf(typed: string, column: Column, cell: string, maxDecimals: number): string {
  const trimmed = typed.trim().replace(/^'/, "");
  if (/^[-\u2212]\s*\d[\d.,]*$/.test(trimmed))
    throw new UnreadableCell(importRefusals.negative(column, cell));
  const text = GROUPED.test(trimmed) ? trimmed.replace(/[\s']/g, "") : trimmed;
  if (/^\d{1,12}$/.test(text)) return text;
  const separators = new Set(text.match(/[.,]/g));
  if (!/^\d[\d.,]*$/.test(text) || text.length > 20)
    throw new UnreadableCell(importRefusals.notANumber(column, cell));
  if (separators.size === 2) {
    if (/^\d{1,3}(,\d{3})+\.\d+$/.test(text)) return text.replaceAll(",", "");
    if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text)) return text.replaceAll(".", "").replace(",", ".");
    throw new UnreadableCell(importRefusals.notANumber(column, cell));
  }
  if (/^\d{1,3}([.,]\d{3}){2,}$/.test(text)) return text.replace(/[.,]/g, "");
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(text))
    throw new UnreadableCell(importRefusals.twoMeanings(column, cell, maxDecimals));
  if (/^\d+[.,]\d+$/.test(text)) return text.replace(",", ".");
  throw new UnreadableCell(importRefusals.notANumber(column, cell));
}

/** "100=11.90; 500=10.40": price per piece from a quantity upwards. */
export function readBreaks(cell: string): ImportedProduct["price_breaks"] {
  return cell
    .split(/[;|\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, quantity, price] = /^([^=:@]+)[=:@](.+)$/.exec(part) ?? [];
      if (!quantity || !price) throw new UnreadableCell(importRefusals.badBreaks(cell));
      return {
        quantity: readCount(quantity, "price_breaks"),
        price_cents: readPrice(price, "price_breaks"),
      };
    });
}

export function writeCell(column: Column, product: ImportedProduct): string {
  switch (column) {
    case "price":
      return formatDollars(product.price_cents);
    case "price_breaks":
      return product.price_breaks
        .map(({ quantity, price_cents }) => `${quantity}=${formatDollars(price_cents)}`)
        .join(";");
    case "archived":
      return product.archived ? "yes" : "no";
    default:
      return writeText(String(product[column] ?? ""));
  }
}

const formatDollars = (cents: number) => fromCents(cents).toFixed(2);
