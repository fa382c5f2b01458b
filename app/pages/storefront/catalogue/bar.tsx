import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { classNames } from "../../../components/class-names.ts";
import { DensitySwitch } from "../../../components/density-switch.tsx";
import { counted } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { ActiveFilters } from "./active-filters.tsx";
import { FILTERS_ID } from "./facet-panel.tsx";
import { activeFiltersIn, catalogueUrl } from "./filters.ts";
import { sortLabels } from "./wording.ts";

export const RESULT_COUNT_ID = "found";

interface ResultsBarProps {
  result: CatalogueResult;
  filters: URLSearchParams;
  view: "list" | "grid";
}

/** The result count, the active filters, and the sort order and layout. */
export function ResultsBar({ result, filters, view }: ResultsBarProps) {
  const activeFilters = activeFiltersIn(filters);
  const text = filters.get("q");
  const total = useFocusResultCount(activeFilters.length + (filters.get("q") ? 1 : 0), filters.get("cursor"));
  return (
    <div className="bar">
      <strong className="num bar__total" id={RESULT_COUNT_ID} role="status" ref={total} tabIndex={-1}>
        {counted(result.total, "tool")}
        {text && (
          <span className="bar__note">
            {" "}
            {result.unknownNumber
              ? `similar to “${text}”. No tool has this number.`
              : `for “${result.understood ?? text}”${result.understood ? ` instead of “${text}”` : ""}`}
          </span>
        )}
      </strong>
      {(activeFilters.length > 0 || canBeNarrowed(result)) && (
        <button type="button" className="btn btn--line btn--sm bar__filters" popoverTarget={FILTERS_ID}>
          <Icon name="filter" />
          <span className="btn__label">Filters</span>
          {activeFilters.length > 0 && <span className="count">{activeFilters.length}</span>}
        </button>
      )}
      {result.tools.length > 0 ? (
        <>
          <ActiveFilters filters={filters} />
          <SortAndView filters={filters} view={view} />
        </>
      ) : (
        // the message names the filters; there is nothing to sort, but the order is kept
        <input type="hidden" name="sort" value={filters.get("sort") ?? ""} />
      )}
    </div>
  );
}

function SortAndView({ filters, view }: Omit<ResultsBarProps, "result">) {
  return (
    <div className="bar__end">
      <label className="vh" htmlFor="sort">
        Sort by
      </label>
      <select
        className="input sel"
        id="sort"
        name="sort"
        value={filters.get("sort") ?? ""}
        onChange={() => {}}
      >
        <option value="">Sort: {filters.get("q") ? "best match" : "catalogue order"}</option>
        {Object.entries(sortLabels).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
      {view === "list" && <DensitySwitch />}
      <nav className="seg" aria-label="View">
        <ViewLink filters={filters} view="list" isCurrent={view === "list"} />
        <ViewLink filters={filters} view="grid" isCurrent={view === "grid"} />
      </nav>
    </div>
  );
}

/** Whether there are filters to choose: there are none if the text alone has no results. */
function canBeNarrowed({ facets }: CatalogueResult): boolean {
  return Object.values(facets).some((values) => values.some(({ tools }) => tools > 0));
}

function ViewLink({
  filters,
  view,
  isCurrent,
}: {
  filters: URLSearchParams;
  view: "list" | "grid";
  isCurrent: boolean;
}) {
  const next = new URLSearchParams(filters);
  if (view === "grid") next.set("view", "grid");
  else next.delete("view");
  return (
    <Link
      to={catalogueUrl(next, filters.get("cursor") ?? undefined)}
      aria-current={isCurrent ? "true" : undefined}
      className={classNames(isCurrent && "is-on")}
      preventScrollReset
      replace
    >
      <Icon name={view === "list" ? "menu" : view} />
      {view === "list" ? "List" : "Grid"}
    </Link>
  );
}

/** Focuses the result count when the link that was followed is gone or out of view. */
function useFocusResultCount(choices: number, page: string | null) {
  const total = useRef<HTMLElement>(null);
  const last = useRef({ choices, page });
  useEffect(() => {
    const { activeElement: focused } = document;
    const wasFilterRemoved = choices < last.current.choices && focused === document.body;
    const wasPageChanged =
      page !== last.current.page && (focused === document.body || focused?.closest(".pages"));
    if (wasFilterRemoved || wasPageChanged) total.current?.focus();
    last.current = { choices, page };
  }, [choices, page]);
  return total;
}
