import { Link } from "react-router";
import { Icon } from "../../../components/icon.tsx";
import { pickedIn, toolsAddress, without } from "./address.ts";
import { chipWords } from "./wording.ts";

/** Every filter in use, as a link that takes this one away; nothing where there is none. */
export function PickedFilters({ chosen }: { chosen: URLSearchParams }) {
  const picked = pickedIn(chosen);
  if (picked.length === 0) return null;
  return (
    <ul className="picked" aria-label="Filters in use">
      {picked.map(({ facet, value }) => (
        <li key={`${facet} ${value}`}>
          <Link
            className="chip"
            to={toolsAddress(without(chosen, facet, value))}
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
