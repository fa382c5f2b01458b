/** The search of Manage Products, in the address. */
import type { ListParams } from "../../../data/use-list-params.ts";

/** Value and label; the first is the default. */
export const sorts = [
  ["oldest", "Catalogue order"],
  ["newest", "Newest first"],
  ["name", "Name"],
  ["stock", "Least stock"],
  ["price", "Highest price"],
] as const;

/** Value and label; the first is the default. */
export const archives = [
  ["", "On sale"],
  ["only", "Archived"],
  ["all", "All tools"],
] as const;

/** The facets of the catalogue, except for the category. */
export const facetFilters = ["power", "voltage", "price", "minimum", "stock"] as const;

export type FacetFilter = (typeof facetFilters)[number];

/** The query parameters that filter the list. */
export const filterNames = ["q", "category", ...facetFilters, "low", "archived"] as const;

export type ProductQuery = ReturnType<typeof searchIn>;

export function searchIn({ get }: Pick<ListParams, "get">) {
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === get(name));
  return {
    q: get("q"),
    category: get("category"),
    power: get("power"),
    voltage: get("voltage"),
    price: get("price"),
    minimum: get("minimum"),
    stock: oneOf("stock", ["covers", "over500"]),
    low: oneOf("low", ["1"]),
    archived: oneOf("archived", ["only", "all"]),
    sort: oneOf(
      "sort",
      sorts.map(([name]) => name),
    ),
  };
}
