/** Only the loader imports this: the labels of the catalogue stay out of the admin's script. */
import type { Output } from "../../../../api/contract.ts";
import type { ListParams } from "../../../data/use-list-params.ts";
import { chipLabel, facetHeadings, valueLabel } from "../../storefront/catalogue/wording.ts";
import { type FacetFilter, facetFilters } from "./product-search.ts";

interface Option {
  value: string;
  label: string;
  /** the count of the catalogue; a search by words or in the archive has none */
  tools: number | undefined;
}

export interface ProductFilter {
  name: FacetFilter;
  heading: string;
  options: Option[];
  /** the value in the URL, in words */
  active: string | undefined;
}

type Facets = Output<"searchProducts">["facets"];

export function filterOptions(facets: Facets, { get }: Pick<ListParams, "get">) {
  const hasCounts = !get("q") && !get("low") && !get("archived");
  const optionsOf = (name: FacetFilter | "category"): Option[] =>
    (facets?.[name] ?? []).map(({ value, tools }) => ({
      value: String(value),
      label: valueLabel(name, String(value)),
      tools: hasCounts ? tools : undefined,
    }));
  return {
    categories: optionsOf("category"),
    filters: facetFilters.map((name): ProductFilter => {
      const value = get(name);
      return {
        name,
        heading: facetHeadings[name],
        options: optionsOf(name),
        active: value && chipLabel(name, value),
      };
    }),
  };
}
