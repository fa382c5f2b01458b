import { useEffect, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { call } from "../../data/api-client.ts";

const PAUSE_MS = 150;
const RETRY_MS = 5000;

/** Prices and problems of the lines. A list has one line per product, so only changed lines are checked. */
export function useCheckedLines(lines: readonly SavedListLine[], initial: readonly CheckedLine[]) {
  const [source, setSource] = useState(initial);
  const [known, setKnown] = useState(() => withLines(new Map(), initial));
  const [attempt, setAttempt] = useState(0);
  if (initial !== source) {
    setSource(initial);
    setKnown(withLines(known, initial));
  }
  const unchecked = lines.filter((line) => known.get(line.productId)?.quantity !== line.quantity);
  const request = JSON.stringify(unchecked);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes after a failure, to try again
  useEffect(() => {
    const requested: SavedListLine[] = JSON.parse(request);
    if (requested.length === 0) return;
    const aborter = new AbortController();
    let timer = setTimeout(async () => {
      const outcome = await call("checkLines", { body: { lines: requested } }, aborter.signal).catch(
        () => null,
      );
      if (outcome?.ok) setKnown((now) => withLines(now, outcome.data.lines));
      else if (outcome) timer = setTimeout(() => setAttempt((now) => now + 1), RETRY_MS);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [request, attempt]);

  return {
    /** the result of a line; that of its previous quantity until the new one arrives */
    find(line: SavedListLine) {
      const found = known.get(line.productId);
      return { line: found, isStale: found?.quantity !== line.quantity };
    },
    /** results obtained elsewhere */
    add: (checked: readonly CheckedLine[]) => setKnown((now) => withLines(now, checked)),
  };
}

function withLines(
  known: ReadonlyMap<string, CheckedLine>,
  lines: readonly CheckedLine[],
): Map<string, CheckedLine> {
  const merged = new Map(known);
  for (const line of lines) if (line.productId) merged.set(line.productId, line);
  return merged;
}
