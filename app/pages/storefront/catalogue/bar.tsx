import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { classNames } from "../../../components/class-names.ts";
import { DensitySwitch } from "../../../components/density-switch.tsx";
import { counted } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { ActiveFilters } from "./active-filters.tsx";
import { activeFiltersIn, catalogueUrl } from "./address.ts";
import { FILTERS } from "./facet-panel.tsx";
import { sortLabels } from "./wording.ts";

export const FOUND = "found";

interface BarProps {
  result: CatalogueResult;
  chosen: URLSearchParams;
  view: "list" | "grid";
}

/** The result count, the active filters, and the sort order and layout. */
export function Bar({ result, chosen, view }: BarProps) {
  const picked = activeFiltersIn(chosen);
  const words = chosen.get("q");
  const total = useFocusKept(picked.length + (chosen.get("q") ? 1 : 0), chosen.get("cursor"));
  return (
    <div className="bar">
      <strong className="num bar__total" id={FOUND} role="status" ref={total} tabIndex={-1}>
        {counted(result.total, "tool")}
        {words && (
          <span className="bar__note">
            {" "}
            for “{result.understood ?? words}”{result.understood && ` instead of “${words}”`}
          </span>
        )}
      </strong>
      {(picked.length > 0 || canBeNarrowed(result)) && (
        <button type="button" className="btn btn--line btn--sm bar__filters" popoverTarget={FILTERS}>
          <Icon name="filter" />
          <span className="btn__label">Filters</span>
          {picked.length > 0 && <span className="count">{picked.length}</span>}
        </button>
      )}
      {result.tools.length > 0 ? (
        <>
          <ActiveFilters chosen={chosen} />
          <Arrangement chosen={chosen} view={view} />
        </>
      ) : (
        // the message names the filters; there is nothing to sort, but the order is kept
        <input type="hidden" name="sort" value={chosen.get("sort") ?? ""} />
      )}
    </div>
  );
}

function Arrangement({ chosen, view }: Omit<BarProps, "result">) {
  return (
    <div className="bar__end">
      <label className="vh" htmlFor="sort">
        Sort by
      </label>
      <select
        className="input sel"
        id="sort"
        name="sort"
        value={chosen.get("sort") ?? ""}
        onChange={() => {}}
      >
        <option value="">Sort: {chosen.get("q") ? "best match" : "catalogue order"}</option>
        {Object.entries(sortLabels).map(([sort, words]) => (
          <option key={sort} value={sort}>
            {words}
          </option>
        ))}
      </select>
      {view === "list" && <DensitySwitch />}
      <nav className="seg" aria-label="View">
        <ViewLink chosen={chosen} view="list" on={view === "list"} />
        <ViewLink chosen={chosen} view="grid" on={view === "grid"} />
      </nav>
    </div>
  );
}

/** Whether the sheet has any filter: there is none if the text alone has no results. */
function canBeNarrowed({ facets }: CatalogueResult): boolean {
  return Object.values(facets).some((values) => values.some(({ tools }) => tools > 0));
}

function ViewLink({ chosen, view, on }: { chosen: URLSearchParams; view: "list" | "grid"; on: boolean }) {
  const next = new URLSearchParams(chosen);
  if (view === "grid") next.set("view", "grid");
  else next.delete("view");
  return (
    <Link
      to={catalogueUrl(next, chosen.get("cursor") ?? undefined)}
      aria-current={on ? "true" : undefined}
      className={classNames(on && "is-on")}
      preventScrollReset
      replace
    >
      <Icon name={view === "list" ? "menu" : view} />
      {view === "list" ? "List" : "Grid"}
    </Link>
  );
}

/** When the followed link was removed or is out of view, the results take the focus. */
function useFocusKept(choices: number, page: string | null) {
  const total = useRef<HTMLElement>(null);
  const last = useRef({ choices, page });
  useEffect(() => {
    const { activeElement: at } = document;
    const fewer = choices < last.current.choices && at === document.body;
    const turned = page !== last.current.page && (at === document.body || at?.closest(".pages"));
    if (fewer || turned) total.current?.focus();
    last.current = { choices, page };
  }, [choices, page]);
  return total;
}
