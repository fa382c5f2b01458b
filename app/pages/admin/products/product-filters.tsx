import type { Output } from "../../../../api/contract.ts";
import { Chip } from "../../../components/chip.tsx";
import { Field } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import type { ListParams } from "../../../data/use-list-params.ts";
import { chipLabel, facetHeadings, valueLabel } from "../../storefront/catalogue/wording.ts";
import { archives, type FacetFilter, facetFilters } from "./product-search.ts";

type Facets = NonNullable<Output<"searchProducts">["facets"]>;

interface ProductFiltersProps {
  facets: Facets | undefined;
  address: ListParams;
}

/** Counts are of the catalogue, so a search by words or in the archive has none. */
const hasCounts = ({ get }: ListParams) => !get("q") && !get("low") && !get("archived");

const optionsOf = (facets: Facets | undefined, name: FacetFilter | "category") =>
  (facets?.[name] ?? []).map(({ value, tools }) => ({ value: String(value), tools }));

/** The facets of the catalogue. */
export function ProductFilters({ facets, address }: ProductFiltersProps) {
  return (
    <fieldset className="panel filters">
      <legend className="vh">Filters</legend>
      <div className="filters__fields">
        {facetFilters.map((name) => (
          <Field key={name} label={facetHeadings[name]}>
            {(input) => (
              <select
                {...input}
                className="input"
                value={address.get(name) ?? ""}
                onChange={({ target }) => address.set({ [name]: target.value || undefined })}
              >
                <option value="">Any</option>
                {optionsOf(facets, name).map(({ value, tools }) => (
                  <option key={value} value={value}>
                    {valueLabel(name, value)}
                    {hasCounts(address) && ` (${count(tools)})`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

export function CategorySelect({ facets, address }: ProductFiltersProps) {
  return (
    <select
      className="input"
      aria-label="Category"
      value={address.get("category") ?? ""}
      onChange={({ target }) => address.set({ category: target.value || undefined })}
    >
      <option value="">All categories</option>
      {optionsOf(facets, "category").map(({ value, tools }) => (
        <option key={value} value={value}>
          {value}
          {hasCounts(address) && ` (${count(tools)})`}
        </option>
      ))}
    </select>
  );
}

export function ArchiveSelect({ address }: Pick<ProductFiltersProps, "address">) {
  return (
    <select
      className="input"
      aria-label="On sale or archived"
      value={address.get("archived") ?? ""}
      onChange={({ target }) => address.set({ archived: target.value || undefined })}
    >
      {archives.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The active facets, each with a button that removes it. */
export function ProductFilterChips({ address }: Pick<ProductFiltersProps, "address">) {
  const active = facetFilters.flatMap((name) => {
    const value = address.get(name);
    return value ? [{ name, label: chipLabel(name, value) }] : [];
  });
  if (active.length === 0) return null;
  return (
    <fieldset className="chips">
      <legend className="vh">Active filters</legend>
      {active.map(({ name, label }) => (
        <Chip
          key={name}
          aria-label={`Remove the filter ${label}`}
          onClick={() => address.set({ [name]: undefined })}
        >
          {label}
          <Icon name="close" />
        </Chip>
      ))}
    </fieldset>
  );
}
