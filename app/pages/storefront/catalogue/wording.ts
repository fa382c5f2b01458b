/** How the catalogue's facets and orders are called on the page. */
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { PRICE_STEPS, type Sort, type Stock } from "../../../../shop/catalogue/facets.ts";
import { count } from "../../../components/format.ts";

export type FacetName = keyof CatalogueResult["facets"];

export const facetHeadings: Record<FacetName, string> = {
  category: "Category",
  power: "Power source",
  voltage: "Voltage",
  price: "Price per piece",
  minimum: "Minimum order, at most",
  stock: "Stock",
};

/** In the order of the page. */
export const facetNames = Object.keys(facetHeadings) as FacetName[];

/** Of these one value at a time can be picked. */
export const singleFacets: FacetName[] = ["minimum", "stock"];

const stockWords: Record<Stock, string> = {
  covers: "Covers one minimum order",
  over500: "Over 500 pieces",
};

/** The words for one value, as it is in the URL. */
export function valueWords(facet: FacetName, value: string): string {
  if (facet === "voltage") return `${value} V`;
  if (facet === "price") return priceWords(Number(value));
  if (facet === "minimum") return `${value} pieces`;
  if (facet === "stock") return stockWords[value as Stock] ?? value;
  return value;
}

/** The words for one value where its heading is not beside it. */
export function chipWords(facet: FacetName, value: string): string {
  return facet === "minimum" ? `Minimum order up to ${value}` : valueWords(facet, value);
}

function priceWords(band: number): string {
  const from = PRICE_STEPS[band - 1];
  const to = PRICE_STEPS[band];
  if (from === undefined) return `Under $${to}`;
  return to === undefined ? `$${from} and over` : `$${from} to $${to - 0.01}`;
}

/** "" is the order that fits: the catalogue's own, or best match first. */
export const sortWords: Record<Exclude<Sort, "catalogue">, string> = {
  price: "Price, lowest first",
  "-price": "Price, highest first",
  name: "Name",
  minimum: "Minimum order, lowest first",
};

/** "63 tools". */
export function totalWords({ total }: { total: number }): string {
  return `${count(total)} ${total === 1 ? "tool" : "tools"}`;
}
