import { Link } from "react-router";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { counted } from "../../../components/format.ts";
import { EmptyState } from "../../../components/states.tsx";
import { ActiveFilters } from "./active-filters.tsx";
import { activeFiltersIn, catalogueUrl, withoutFacets, withoutFilter } from "./address.ts";
import { chipLabel } from "./wording.ts";

interface NothingFoundProps {
  chosen: URLSearchParams;
  /** result counts without one of the filters, if any */
  without: CatalogueResult["without"];
}

/** Suggestions without results: another text, or removing the filters that leave some. */
export function NothingFound({ chosen, without = [] }: NothingFoundProps) {
  const words = chosen.get("q");
  if (activeFiltersIn(chosen).length > 0) return <FiltersLeaveNothing chosen={chosen} without={without} />;
  if (!words)
    return <EmptyState title="No tools yet">The first tools are being entered. Come back soon.</EmptyState>;
  return (
    <EmptyState
      title={`No tool matches “${words}”`}
      action={<ButtonLink to="/tools">See all tools</ButtonLink>}
    >
      Try a shorter word, or the first letters of an item number.
    </EmptyState>
  );
}

function FiltersLeaveNothing({ chosen, without }: { chosen: URLSearchParams; without: Without[] }) {
  const words = chosen.get("q");
  return (
    <EmptyState
      title={words ? `No tool matches “${words}” with these filters` : "No tool matches these filters"}
      action={
        <>
          {without.length > 0 ? (
            <RelaxedSearch chosen={chosen} without={without} />
          ) : (
            <ActiveFilters chosen={chosen} />
          )}
          <ButtonLink to={catalogueUrl(withoutFacets(chosen))} preventScrollReset>
            Clear all filters
          </ButtonLink>
        </>
      }
    >
      {without.length > 0
        ? "Remove one of them, or all of them."
        : "Removing one filter is not enough. Remove several, or all of them."}
    </EmptyState>
  );
}

type Without = NonNullable<CatalogueResult["without"]>[number];

/** "Without 120 V: 12 tools", as links. */
function RelaxedSearch({ chosen, without }: { chosen: URLSearchParams; without: Without[] }) {
  return (
    <ul className="picked" aria-label="Results without a filter">
      {without.map(({ filter, tools }) => (
        <li key={filter}>
          <Link className="chip" to={catalogueUrl(withoutFilter(chosen, filter))} preventScrollReset>
            <span>Without {filterLabel(chosen, filter)}:</span>{" "}
            <b className="num">{counted(tools, "tool")}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function filterLabel(chosen: URLSearchParams, filter: Without["filter"]): string {
  const values = chosen.getAll(filter).filter(Boolean);
  if (filter === "q") return `“${values[0]}”`;
  return values.map((value) => chipLabel(filter, value)).join(" or ");
}
