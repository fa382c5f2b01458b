import { Field } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { ParamSelect } from "../../../components/select.tsx";
import type { ListParams } from "../../../data/use-list-params.ts";
import { FilterChips } from "../filter-chips.tsx";
import type { ProductFilter } from "./product-filter-options.ts";

interface ProductFiltersProps {
  filters: ProductFilter[];
  params: ListParams;
}

/** The facets of the catalogue. */
export function ProductFilters({ filters, params }: ProductFiltersProps) {
  return (
    <fieldset className="panel filters">
      <legend className="vh">Filters</legend>
      <div className="filters__fields">
        {filters.map(({ name, heading, options }) => (
          <Field key={name} label={heading}>
            {(input) => (
              <ParamSelect
                {...input}
                params={params}
                name={name}
                options={[["", "Any"], ...toSelectOptions(options)]}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

/** With the number of tools, where it is known. */
export function toSelectOptions(options: ProductFilter["options"]): [string, string][] {
  return options.map(({ value, label, tools }) => [
    value,
    tools === undefined ? label : `${label} (${count(tools)})`,
  ]);
}

export function ProductFilterChips({ filters, params }: ProductFiltersProps) {
  const active = filters.flatMap(({ name, active: label }) => (label ? [{ name, label }] : []));
  return <FilterChips active={active} params={params} />;
}
