import { useEffect, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { call } from "../../data/api-client.ts";

const PAUSE_MS = 150;
const RETRY_MS = 5000;

/** Prices and problems of the lines. A list has one line per product, so only changed lines are checked. */
export function useCheckedLines(lines: readonly SavedListLine[], given: readonly CheckedLine[]) {
  const [source, setSource] = useState(given);
  const [known, setKnown] = useState(() => withLines(new Map(), given));
  const [attempt, setAttempt] = useState(0);
  if (given !== source) {
    setSource(given);
    setKnown(withLines(known, given));
  }
  const unknown = lines.filter((line) => known.get(line.productId)?.quantity !== line.quantity);
  const asked = JSON.stringify(unknown);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    const missing: SavedListLine[] = JSON.parse(asked);
    if (missing.length === 0) return;
    const stop = new AbortController();
    let timer = setTimeout(async () => {
      const outcome = await call("checkLines", { body: { lines: missing } }, stop.signal).catch(() => null);
      if (outcome?.ok) setKnown((now) => withLines(now, outcome.data.lines));
      else if (outcome) timer = setTimeout(() => setAttempt((now) => now + 1), RETRY_MS);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, attempt]);

  return {
    /** the check of a line; of its previous quantity until the new one arrives */
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
  const all = new Map(known);
  for (const line of lines) if (line.productId) all.set(line.productId, line);
  return all;
}
