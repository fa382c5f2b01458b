/** All filters are in the URL of the page: it can be shared, bookmarked and gone back to. */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { type FacetName, facetNames } from "./wording.ts";

/** Marks the moves that `useChosen` makes itself. */
const CHOSEN_HERE = "chosen here";

/** The members of an address as the contract's query has them: a name alone, or a list of its values. */
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
export function catalogueUrl(chosen: URLSearchParams, cursor?: string): string {
  const kept = [...chosen].filter(([name, value]) => value !== "" && name !== "cursor");
  const search = new URLSearchParams(cursor ? [...kept, ["cursor", cursor]] : kept).toString();
  return search ? `/tools?${search}` : "/tools";
}

/** The same choices without this one. */
export function without(chosen: URLSearchParams, facet: FacetName, value: string): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name, one]) => name !== facet || one !== value));
}

/** The same choices without the words, or without anything of this facet. */
export function withoutFilter(chosen: URLSearchParams, filter: FacetName | "q"): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name]) => name !== filter));
}

/** The same choices without any facet. */
export function withoutFacets(chosen: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...chosen].filter(([name]) => !facetNames.includes(name as FacetName)));
}

/** Every facet value that is picked. */
export function activeFiltersIn(chosen: URLSearchParams): { facet: FacetName; value: string }[] {
  return facetNames.flatMap((facet) =>
    chosen
      .getAll(facet)
      .filter(Boolean)
      .map((value) => ({ facet, value })),
  );
}

/**
 * What is chosen now, ahead of the results; and how to choose. Typing replaces the entry in the history,
 * everything else adds one. A move from elsewhere (Back, a chip, the header's search) is followed.
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
    // what was chosen here comes late: more may have been typed since
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
