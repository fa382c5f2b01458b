/** The search of Manage Products, in the URL. */
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";

/** Value and label; the first is the default. */
export const sorts = [
  ["oldest", "Catalogue order"],
  ["newest", "Newest first"],
  ["name", "Name"],
  ["stock", "Least stock"],
  ["price", "Highest price"],
] as const;

/** Value and label; the first is the default. */
export const archiveOptions = [
  ["", "On sale"],
  ["only", "Archived"],
  ["all", "All tools"],
] as const;

/** The facets of the catalogue, except for the category. */
export const facetFilters = ["power", "voltage", "price", "minimum", "stock"] as const;

export type FacetFilter = (typeof facetFilters)[number];

/** The query parameters that filter the list. */
export const filterNames = ["q", "category", ...facetFilters, "low", "archived"] as const;

export type ProductQuery = ReturnType<typeof readSearch>;

export function readSearch({ get }: Pick<ListParams, "get">) {
  return {
    q: get("q"),
    category: get("category"),
    power: get("power"),
    voltage: get("voltage"),
    price: get("price"),
    minimum: get("minimum"),
    stock: oneOf(get("stock"), ["covers", "over500"]),
    low: oneOf(get("low"), ["1"]),
    archived: oneOf(get("archived"), ["only", "all"]),
    sort: sorts.find(([name]) => name === get("sort"))?.[0],
  };
}
