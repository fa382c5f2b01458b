/** Everything that a buyer chose stands in the address of the page: it can be sent, kept and gone back to. */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { type FacetName, facetNames } from "./wording.ts";

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

/** The address of these choices, without what says nothing and always from the first page. */
export function toolsAddress(chosen: URLSearchParams, cursor?: string): string {
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
export function pickedIn(chosen: URLSearchParams): { facet: FacetName; value: string }[] {
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
export function useChosen() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(() => new URLSearchParams(search));
  const asked = useRef(search);
  useEffect(() => {
    if (search === asked.current) return;
    asked.current = search;
    setChosen(new URLSearchParams(search));
  }, [search]);

  function choose(next: URLSearchParams, typing: boolean) {
    const address = toolsAddress(next);
    asked.current = address.slice("/tools".length);
    setChosen(next);
    navigate(address, { replace: typing, preventScrollReset: true });
  }
  return { chosen, choose };
}
