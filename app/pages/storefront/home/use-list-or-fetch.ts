import { useCallback, useEffect, useState } from "react";

interface List<Item> {
  items: Item[];
  /** `loading` until the first response; an empty `ready` is authoritative */
  phase: "loading" | "ready" | "failed";
  retry: () => void;
}

/** A list from the page's own data. If it is empty it is requested again from `path` (specification, section 2). */
export function useListOrFetch<Item>(given: Item[], path: string): List<Item> {
  const [fetched, setFetched] = useState<Omit<List<Item>, "retry">>({ items: [], phase: "loading" });

  const retry = useCallback(async () => {
    setFetched({ items: [], phase: "loading" });
    try {
      const response = await fetch(path, { headers: { accept: "application/json" } });
      if (!response.ok) throw new Error(`${path} responded ${response.status}`);
      setFetched({ items: (await response.json()) as Item[], phase: "ready" });
    } catch {
      setFetched({ items: [], phase: "failed" }); // shown on the page, with Try again
    }
  }, [path]);

  const empty = given.length === 0;
  useEffect(() => {
    if (empty) void retry();
  }, [empty, retry]);

  return { ...(empty ? fetched : { items: given, phase: "ready" }), retry: () => void retry() };
}
