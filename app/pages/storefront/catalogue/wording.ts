import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { PRICE_STEPS, type Sort, type Stock } from "../../../../shop/catalogue/facets.ts";

export type FacetName = keyof CatalogueResult["facets"];

export const facetHeadings: Record<FacetName, string> = {
  category: "Category",
  power: "Power source",
  voltage: "Voltage",
  price: "Price per piece",
  minimum: "Minimum order, at most",
  stock: "Stock",
};

export const facetNames = Object.keys(facetHeadings) as FacetName[];

/** Single-choice facets. */
export const singleFacets: FacetName[] = ["minimum", "stock"];

const stockLabels: Record<Stock, string> = {
  covers: "Covers one minimum order",
  over500: "Over 500 pieces",
};

/** The label of one value of a facet. */
export function valueLabel(facet: FacetName, value: string): string {
  if (facet === "voltage") return `${value} V`;
  if (facet === "price") return priceLabel(Number(value)) ?? value;
  if (facet === "minimum") return `${value} pieces`;
  if (facet === "stock") return stockLabels[value as Stock] ?? value;
  return value;
}

/** The label of one value where the heading of its facet is not shown. */
export function chipLabel(facet: FacetName, value: string): string {
  return facet === "minimum" ? `Minimum order up to ${value}` : valueLabel(facet, value);
}

/** Undefined for a band that does not exist: the URL may contain any text. */
function priceLabel(band: number): string | undefined {
  const from = PRICE_STEPS[band - 1];
  const to = PRICE_STEPS[band];
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return `Under $${to}`;
  return to === undefined ? `$${from} and over` : `$${from} to $${to - 0.01}`;
}

/** "" is the default: the catalogue's own order, or best match first. */
export const sortLabels: Record<Exclude<Sort, "catalogue">, string> = {
  price: "Price, lowest first",
  "-price": "Price, highest first",
  name: "Name",
  minimum: "Minimum order, lowest first",
};
