import { Link } from "react-router";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { counted } from "../../../components/format.ts";
import { EmptyState } from "../../../components/states.tsx";
import { ActiveFilters } from "./active-filters.tsx";
import { activeFiltersIn, catalogueUrl, withoutFacets, withoutFilter } from "./filters.ts";
import { chipLabel } from "./wording.ts";

interface NothingFoundProps {
  filters: URLSearchParams;
  /** result counts without one of the filters, if any */
  without: CatalogueResult["without"];
}

/** Shown without results: suggests another text, or removing filters. */
export function NothingFound({ filters, without = [] }: NothingFoundProps) {
  const text = filters.get("q");
  if (activeFiltersIn(filters).length > 0) return <FiltersLeaveNothing filters={filters} without={without} />;
  if (!text)
    return <EmptyState title="No tools yet">The first tools are being entered. Come back soon.</EmptyState>;
  return (
    <EmptyState
      title={`No tool matches “${text}”`}
      action={<ButtonLink to="/tools">See all tools</ButtonLink>}
    >
      Try a shorter word, or the first letters of an item number.
    </EmptyState>
  );
}

function FiltersLeaveNothing({ filters, without }: { filters: URLSearchParams; without: Without[] }) {
  const text = filters.get("q");
  return (
    <EmptyState
      title={text ? `No tool matches “${text}” with these filters` : "No tool matches these filters"}
      action={
        <>
          {without.length > 0 ? (
            <RelaxedSearch filters={filters} without={without} />
          ) : (
            <ActiveFilters filters={filters} />
          )}
          <ButtonLink to={catalogueUrl(withoutFacets(filters))} preventScrollReset>
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
function RelaxedSearch({ filters, without }: { filters: URLSearchParams; without: Without[] }) {
  return (
    <ul className="filter-chips" aria-label="Results without a filter">
      {without.map(({ filter, tools }) => (
        <li key={filter}>
          <Link className="chip" to={catalogueUrl(withoutFilter(filters, filter))} preventScrollReset>
            <span>Without {filterLabel(filters, filter)}:</span>{" "}
            <b className="num">{counted(tools, "tool")}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function filterLabel(filters: URLSearchParams, filter: Without["filter"]): string {
  const values = filters.getAll(filter).filter(Boolean);
  if (filter === "q") return `“${values[0]}”`;
  return values.map((value) => chipLabel(filter, value)).join(" or ");
}
