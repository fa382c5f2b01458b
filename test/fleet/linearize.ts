/** Whether requests about the stock of one product, each at some moment between its begin and its end, explain it. */

/** Changes the stock by `pieces` (0 for a request that only saw it) where it is between `least` and `most`. */
export interface Step {
  startedAt: number;
  /** Infinity if the client never knew */
  endedAt: number;
  pieces: number;
  least: number;
  most: number;
}

/**
 * Whether some order of the steps leads from `first` to `last` and respects real time: a step that ended before another
 * one began comes first. The search of Wing and Gong; as the stock follows from the set of steps taken, each set from
 * which there is no way on is visited once.
 */
export function isLinearizable(first: number, steps: Step[], last: number): boolean {
  const ordered = steps.toSorted((one, other) => one.endedAt - other.endedAt);
  const taken = ordered.map(() => false);
  const deadEnds = new Set<string>();

  function canReach(stock: number): boolean {
    const earliest = taken.indexOf(false);
    if (earliest === -1) return stock === last;
    const { endedAt } = ordered[earliest] as Step;
    const possible = ordered.flatMap(({ startedAt, least, most }, index) =>
      !taken[index] && startedAt <= endedAt && least <= stock && stock <= most ? [index] : [],
    );
    // seeing the stock changes nothing, so it is never too early
    const seeing = possible.find((index) => ordered[index]?.pieces === 0);
    const set = taken.map(Number).join("");
    if (deadEnds.has(set)) return false;
    for (const index of seeing === undefined ? possible : [seeing]) {
      taken[index] = true;
      if (canReach(stock + (ordered[index] as Step).pieces)) return true;
      taken[index] = false;
    }
    deadEnds.add(set);
    return false;
  }
  return canReach(first);
}
