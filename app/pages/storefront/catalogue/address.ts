/** All filters are in the page's address: it can be shared, bookmarked and returned to. */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { type FacetName, facetNames } from "./wording.ts";

/** Marks the navigations of `useChosen`. */
const CHOSEN_HERE = "chosen here";

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

/** The address of these filters, without empty ones and from the first page. */
export function catalogueUrl(chosen: URLSearchParams, cursor?: string): string {
  const kept = [...chosen].filter(([name, value]) => value !== "" && name !== "cursor");
  const search = new URLSearchParams(cursor ? [...kept, ["cursor", cursor]] : kept).toString();
  return search ? `/tools?${search}` : "/tools";
}

export function without(chosen: URLSearchParams, facet: FacetName, value: string): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name, one]) => name !== facet || one !== value));
}

/** The same filters without the text, or without this facet. */
export function withoutFilter(chosen: URLSearchParams, filter: FacetName | "q"): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name]) => name !== filter));
}

export function withoutFacets(chosen: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name]) => !facetNames.includes(name as FacetName)));
}

export function activeFiltersIn(chosen: URLSearchParams): { facet: FacetName; value: string }[] {
  return facetNames.flatMap((facet) =>
    chosen
      .getAll(facet)
      .filter(Boolean)
      .map((value) => ({ facet, value })),
  );
}

/**
 * The current selection, ahead of the results; and how to change it. Typing replaces the history entry, other changes
 * add one. Other navigations (Back, a chip, the header's search) reset it.
 */
export function useFilters() {
  const { key, search, state } = useLocation();
  const isBack = useNavigationType() === "POP";
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(() => new URLSearchParams(search));
  const arrived = useRef(key);
  useEffect(() => {
    if (arrived.current === key) return;
    arrived.current = key;
    // own navigations arrive late: more may have been typed since
    if (isBack || state !== CHOSEN_HERE) setChosen(new URLSearchParams(search));
  }, [key, search, state, isBack]);

  function choose(next: URLSearchParams, typing: boolean) {
    const address = catalogueUrl(next);
    setChosen(next);
    const replace = typing || address === `/tools${search}`;
    navigate(address, { replace, preventScrollReset: true, state: CHOSEN_HERE });
  }
  return { chosen, choose };
}
