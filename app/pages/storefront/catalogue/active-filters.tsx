import { Link } from "react-router";
import { Icon } from "../../../components/icon.tsx";
import { activeFiltersIn, catalogueUrl, without } from "./address.ts";
import { chipWords } from "./wording.ts";

/** Every filter in use, as a link that takes this one away; nothing where there is none. */
export function ActiveFilters({ chosen }: { chosen: URLSearchParams }) {
  const picked = activeFiltersIn(chosen);
  if (picked.length === 0) return null;
  return (
    <ul className="picked" aria-label="Filters in use">
      {picked.map(({ facet, value }) => (
        <li key={`${facet} ${value}`}>
          <Link
            className="chip"
            to={catalogueUrl(without(chosen, facet, value))}
            aria-label={`Remove ${chipWords(facet, value)}`}
            preventScrollReset
          >
            {chipWords(facet, value)}
            <Icon name="close" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
