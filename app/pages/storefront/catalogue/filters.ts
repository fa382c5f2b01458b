/** All filters are in the page's URL, so that a search can be shared, bookmarked and returned to. */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { type FacetName, facetNames } from "./wording.ts";

/** Marks the navigations of `useFilters`. */
const OWN_NAVIGATION = "own navigation";

/** Query parameters in the shape of the contract's query: a value, or a list of values. */
export function queryMembers(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())]
      .map((name) => {
        const values = search.getAll(name).filter((value) => value !== "");
        return [name, values.length > 1 ? values : values[0]];
      })
      .filter(([, value]) => value !== undefined),
  );
}

/** The URL of these filters, without empty ones and from the first page. */
export function catalogueUrl(filters: URLSearchParams, cursor?: string): string {
  const entries = [...filters].filter(([name, value]) => value !== "" && name !== "cursor");
  const search = new URLSearchParams(cursor ? [...entries, ["cursor", cursor]] : entries).toString();
  return search ? `/tools?${search}` : "/tools";
}

/** The filters without one value of a facet. */
export function withoutValue(filters: URLSearchParams, facet: FacetName, value: string): URLSearchParams {
  return new URLSearchParams([...filters].filter(([name, other]) => name !== facet || other !== value));
}

/** The filters without the text, or without a facet. */
export function withoutFilter(filters: URLSearchParams, filter: FacetName | "q"): URLSearchParams {
  return new URLSearchParams([...filters].filter(([name]) => name !== filter));
}

export function withoutFacets(filters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...filters].filter(([name]) => !facetNames.includes(name as FacetName)));
}

export function activeFiltersIn(filters: URLSearchParams): { facet: FacetName; value: string }[] {
  return facetNames.flatMap((facet) =>
    filters
      .getAll(facet)
      .filter(Boolean)
      .map((value) => ({ facet, value })),
  );
}

/**
 * The current filters, which may be ahead of the results, and a function to change them. Typing replaces the history
 * entry, other changes add one. Other navigations (Back, a chip, the header's search) reset the filters.
 */
export function useFilters() {
  const { key, search, state } = useLocation();
  const isBack = useNavigationType() === "POP";
  const navigate = useNavigate();
  const [filters, setFilters] = useState(() => new URLSearchParams(search));
  const lastKey = useRef(key);
  useEffect(() => {
    if (lastKey.current === key) return;
    lastKey.current = key;
    // own navigations arrive late: more may have been typed since
    if (isBack || state !== OWN_NAVIGATION) setFilters(new URLSearchParams(search));
  }, [key, search, state, isBack]);

  function changeFilters(next: URLSearchParams, typing: boolean) {
    const url = catalogueUrl(next);
    setFilters(next);
    const replace = typing || url === `/tools${search}`;
    navigate(url, { replace, preventScrollReset: true, state: OWN_NAVIGATION });
  }
  return { filters, changeFilters };
}
