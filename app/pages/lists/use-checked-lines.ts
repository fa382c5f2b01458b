import { useCallback, useEffect, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { call } from "../../data/api-client.ts";

const PAUSE_MS = 150;
const RETRY_MS = 5000;

/** Prices and problems of the lines. A list has one line per product, so only changed lines are checked. */
export function useCheckedLines(lines: readonly SavedListLine[], loaded: readonly CheckedLine[]) {
  const [source, setSource] = useState(loaded);
  const [results, setResults] = useState(() => withResults(new Map(), loaded));
  const [attempt, setAttempt] = useState(0);
  if (loaded !== source) {
    setSource(loaded);
    setResults(withResults(results, loaded));
  }
  const unchecked = lines.filter((line) => results.get(line.productId)?.quantity !== line.quantity);
  const request = JSON.stringify(unchecked);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes after a failure, to try again
  useEffect(() => {
    const requested: SavedListLine[] = JSON.parse(request);
    if (requested.length === 0) return;
    const controller = new AbortController();
    let timer = setTimeout(async () => {
      const outcome = await call("checkLines", { body: { lines: requested } }, controller.signal).catch(
        () => null,
      );
      if (outcome?.ok) setResults((now) => withResults(now, outcome.data.lines));
      else if (outcome) timer = setTimeout(() => setAttempt((now) => now + 1), RETRY_MS);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request, attempt]);

  return {
    /** the result of a line; that of its previous quantity until the new one arrives */
    find: useCallback(
      (line: SavedListLine) => {
        const found = results.get(line.productId);
        return { line: found, isStale: found?.quantity !== line.quantity };
      },
      [results],
    ),
    /** results obtained elsewhere */
    add: useCallback((checked: readonly CheckedLine[]) => setResults((now) => withResults(now, checked)), []),
  };
}

function withResults(
  results: ReadonlyMap<string, CheckedLine>,
  lines: readonly CheckedLine[],
): Map<string, CheckedLine> {
  const merged = new Map(results);
  for (const line of lines) if (line.productId) merged.set(line.productId, line);
  return merged;
}
