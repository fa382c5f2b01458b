import { Field } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import type { ListParams } from "../../../data/use-list-params.ts";
import { FilterChips } from "../filter-chips.tsx";
import type { FilterOptions, ProductFilter } from "./product-filter-options.ts";
import { archives } from "./product-search.ts";

interface ProductFiltersProps {
  filters: ProductFilter[];
  address: ListParams;
}

/** The facets of the catalogue. */
export function ProductFilters({ filters, address }: ProductFiltersProps) {
  return (
    <fieldset className="panel filters">
      <legend className="vh">Filters</legend>
      <div className="filters__fields">
        {filters.map(({ name, heading, options }) => (
          <Field key={name} label={heading}>
            {(input) => (
              <select
                {...input}
                className="input"
                value={address.get(name) ?? ""}
                onChange={({ target }) => address.set({ [name]: target.value || undefined })}
              >
                <option value="">Any</option>
                <Options options={options} />
              </select>
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

function Options({ options }: { options: ProductFilter["options"] }) {
  return options.map(({ value, label, tools }) => (
    <option key={value} value={value}>
      {label}
      {tools !== undefined && ` (${count(tools)})`}
    </option>
  ));
}

interface CategorySelectProps {
  categories: FilterOptions["categories"];
  address: ListParams;
}

export function CategorySelect({ categories, address }: CategorySelectProps) {
  return (
    <select
      className="input"
      aria-label="Category"
      value={address.get("category") ?? ""}
      onChange={({ target }) => address.set({ category: target.value || undefined })}
    >
      <option value="">All categories</option>
      <Options options={categories} />
    </select>
  );
}

export function ArchiveSelect({ address }: { address: ListParams }) {
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

export function ProductFilterChips({ filters, address }: ProductFiltersProps) {
  const active = filters.flatMap(({ name, active: label }) => (label ? [{ name, label }] : []));
  return <FilterChips active={active} address={address} />;
}
