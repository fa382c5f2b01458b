import { useCallback, useEffect, useState } from "react";

interface List<Item> {
  items: Item[];
  /** `loading` until the first response; an empty `ready` is authoritative */
  phase: "loading" | "ready" | "failed";
  retry: () => void;
}

/** A list from the page's own data. If it is empty it is requested again from `path` (specification, section 2). */
export function useList<Item>(given: Item[], path: string): List<Item> {
  const [state, setState] = useState<Omit<List<Item>, "retry">>({
    items: given,
    phase: given.length > 0 ? "ready" : "loading",
  });

  const retry = useCallback(async () => {
    setState({ items: [], phase: "loading" });
    try {
      const response = await fetch(path, { headers: { accept: "application/json" } });
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      setState({ items: (await response.json()) as Item[], phase: "ready" });
    } catch {
      setState({ items: [], phase: "failed" }); // shown on the page, with Try again
    }
  }, [path]);

  const empty = given.length === 0;
  useEffect(() => {
    if (empty) void retry();
  }, [empty, retry]);

  return { ...state, retry: () => void retry() };
}
