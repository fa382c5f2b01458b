import { useEffect, useState } from "react";
import type { Output } from "../../../api/contract.ts";
import { call } from "../../data/api-client.ts";

export type SuggestedTool = Output<"suggestTools">["tools"][number];

const MIN_LENGTH = 2;
const PAUSE_MS = 60;

/** The products that match the typed text, debounced; none if they cannot be loaded. */
export function useToolSuggestions(q: string): SuggestedTool[] {
  const [tools, setTools] = useState<SuggestedTool[]>([]);
  useEffect(() => {
    if (q.length < MIN_LENGTH) {
      setTools([]);
      return;
    }
    const aborter = new AbortController();
    const timer = setTimeout(async () => {
      const found = await call("suggestTools", { query: { q } }, aborter.signal).catch(() => null);
      if (found) setTools(found.ok ? found.data.tools : []);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [q]);
  return tools;
}
