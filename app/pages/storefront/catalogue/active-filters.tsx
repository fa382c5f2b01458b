import { Link } from "react-router";
import { Icon } from "../../../components/icon.tsx";
import { activeFiltersIn, catalogueUrl, withoutValue } from "./filters.ts";
import { chipLabel } from "./wording.ts";

export function ActiveFilters({ filters }: { filters: URLSearchParams }) {
  const active = activeFiltersIn(filters);
  if (active.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {active.map(({ facet, value }) => (
        <li key={`${facet} ${value}`}>
          <Link
            className="chip"
            to={catalogueUrl(withoutValue(filters, facet, value))}
            aria-label={`Remove ${chipLabel(facet, value)}`}
            preventScrollReset
          >
            {chipLabel(facet, value)}
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
