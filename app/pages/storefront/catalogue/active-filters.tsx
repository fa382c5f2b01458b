import { Link } from "react-router";
import { Icon } from "../../../components/icon.tsx";
import { activeFiltersIn, catalogueUrl, without } from "./address.ts";
import { chipLabel } from "./wording.ts";

export function ActiveFilters({ chosen }: { chosen: URLSearchParams }) {
  const picked = activeFiltersIn(chosen);
  if (picked.length === 0) return null;
  return (
    <ul className="picked" aria-label="Active filters">
      {picked.map(({ facet, value }) => (
        <li key={`${facet} ${value}`}>
          <Link
            className="chip"
            to={catalogueUrl(without(chosen, facet, value))}
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
